import { delimiter, isAbsolute } from "node:path";

/** Relative and empty entries of a `PATH` depend on the working folder. */
export function absoluteFolders(path = ""): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}
