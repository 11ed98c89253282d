import { isAbsolute } from "node:path";

/** Longest path on Linux; other systems enforce lower limits themselves. */
const maxCwdLength = 4_096;

/** Returns why a folder is invalid, or `undefined`. Does not check that it exists. */
export function cwdProblem(cwd: string): string | undefined {
  if (cwd.length > maxCwdLength)
    return `Cannot use a cwd of ${cwd.length} characters: no path has more than ${maxCwdLength}`;
  if (cwd.includes("\0"))
    return `Cannot use cwd ${JSON.stringify(cwd)}: programs would cut it at its NUL; leave that out`;
  return isAbsolute(cwd) ? undefined : `Cannot use cwd "${cwd}": it is not absolute; write the full path`;
}
