import { isAbsolute } from "node:path";

/** Linux's limit; other systems enforce lower ones themselves. */
const maxCwdLength = 4_096;

export function cwdProblem(cwd: string): string | undefined {
  if (cwd.length > maxCwdLength)
    return `Cannot use a cwd of ${cwd.length} characters: no path has more than ${maxCwdLength}`;
  if (cwd.includes("\0"))
    return `Cannot use cwd ${JSON.stringify(cwd)}: programs would cut it at its NUL; leave that out`;
  return isAbsolute(cwd) ? undefined : `Cannot use cwd "${cwd}": it is not absolute; write the full path`;
}
