import { isAbsolute } from "node:path";

/** Why a conversation cannot have this folder; `undefined`: it can, whether or not the folder is there. */
export function cwdProblem(cwd: string): string | undefined {
  if (cwd.includes("\0"))
    return `Cannot use cwd ${JSON.stringify(cwd)}: programs would cut it at its NUL; leave that out`;
  return isAbsolute(cwd) ? undefined : `Cannot use cwd "${cwd}": it is not absolute; write the whole path`;
}
