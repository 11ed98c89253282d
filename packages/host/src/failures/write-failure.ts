import { errorCode, errorMessage } from "./error-code.ts";

/** `elsewhere` is the alternative, such as "take another folder (--data DIR)". */
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
      return `it is mounted read-only; ${elsewhere}`;
    case "ENOENT":
      return `its folder does not exist; ${elsewhere}`;
    case "EEXIST":
    case "ENOTDIR":
      return `a part of its path is a file, not a folder; ${elsewhere}`;
    default:
      return `${errorMessage(error)}; ${elsewhere}`;
  }
}

/** Such as `_ISDIR` of `SQLITE_CANTOPEN_ISDIR`. */
function kindOf(error: unknown): string {
  const code = errorCode(error) ?? "";
  return code.startsWith("SQLITE_") ? code.split("_", 2).join("_") : code;
}
