import { delimiter, isAbsolute } from "node:path";

/** Removes relative and empty entries of a `PATH`, which depend on the working folder. */
export function absoluteFolders(path = ""): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}
