import { isAbsolute, relative, sep } from "node:path";

/** Returns the path relative to the folder, `""` for the folder itself; `undefined` outside of it. */
export function relativeWithin(folder: string, path: string): string | undefined {
  const rest = relative(folder, path);
  // On Windows, `relative` returns paths of other drives unchanged.
  return rest === ".." || rest.startsWith(`..${sep}`) || isAbsolute(rest) ? undefined : rest;
}
