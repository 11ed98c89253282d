import { relativeWithin } from "@incipit/common";
import { existsSync } from "node:fs";
import { join, sep } from "node:path";

const placePattern = /(?<=^|[\s("'])((?:[\w@.-]+\/)*[\w@.-]+\.\w+)(?=:\d+:\d+)/g;

/** A terminal opens `weather/src/index.ts:16:6` on a click, but not `src/index.ts:16:6`. */
export function clickablePlaces(
  text: string,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): string {
  const shown = (path: string): string => relativeWithin(cwd, path) ?? path;
  const inside = text.replaceAll(placePattern, (name) => {
    const path = join(folder, name);
    return existsSync(path) ? shown(path) : name;
  });
  return inside.replaceAll(new RegExp(`${RegExp.escape(folder + sep)}(\\S+?)(?=:\\d+:\\d+)`, "g"), (path) =>
    shown(path),
  );
}
