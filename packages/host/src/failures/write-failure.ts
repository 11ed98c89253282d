import { errorCode, errorMessage } from "./error-code.ts";

/**
 * Why nothing could be written at a path, in plain words where there are some, and what to do.
 * @param elsewhere What helps beside mending it, such as "take another folder (--data DIR)".
 */
export function writeFailure(error: unknown, elsewhere: string): string {
  switch (kindOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
    case "SQLITE_FULL":
      return `the disk is full; make room, or ${elsewhere}`;
    case "EACCES":
    case "EPERM":
    case "SQLITE_CANTOPEN":
    case "SQLITE_PERM":
    case "SQLITE_READONLY":
      return `you may not write there; ${elsewhere}`;
    case "EROFS":
      return `nobody can write there, as it is mounted for reading only; ${elsewhere}`;
    case "ENOENT":
      return `its folder is not there; ${elsewhere}`;
    case "EEXIST":
    case "ENOTDIR":
      return `a file is where a folder has to be; ${elsewhere}`;
    default:
      return `${errorMessage(error)}; ${elsewhere}`;
  }
}

/** SQLite's result codes have a second part that says more: `SQLITE_CANTOPEN_ISDIR`. */
function kindOf(error: unknown): string {
  const code = errorCode(error) ?? "";
  return code.startsWith("SQLITE_") ? code.split("_", 2).join("_") : code;
}
