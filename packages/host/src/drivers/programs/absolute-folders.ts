import { delimiter, isAbsolute } from "node:path";

/** A `PATH` without the entries that are another place in each working folder: relative and empty ones. */
export function absoluteFolders(path = ""): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}
