import { existsSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

const placePattern = /(?<=^|[\s("'])((?:[\w@.-]+\/)*[\w@.-]+\.\w+)(?=:\d+:\d+)/g;

/**
 * A text of the host about a folder, with the places in that folder's files as they lead there from the working folder: a
 * terminal opens `weather/src/index.ts:16:6` by a click, and `src/index.ts:16:6` not.
 */
export function clickablePlaces(
  text: string,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): string {
  const shown = (path: string): string => {
    const from = relative(cwd, path);
    return from.startsWith(`..${sep}`) || isAbsolute(from) ? path : from;
  };
  const inside = text.replaceAll(placePattern, (name) => {
    const path = join(folder, name);
    return existsSync(path) ? shown(path) : name;
  });
  // A stack names files as they are.
  return inside.replaceAll(new RegExp(`${RegExp.escape(folder + sep)}(\\S+?)(?=:\\d+:\\d+)`, "g"), (path) =>
    shown(path),
  );
}
