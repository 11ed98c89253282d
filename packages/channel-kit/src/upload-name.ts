import { toFilename } from "@incipit/schema";

/** Makes a file name safe for a multipart header, in which quotes and semicolons are delimiters. */
export function uploadName(name: string): string {
  const safe = toFilename(name.replaceAll(/["';]/g, "_")).trim();
  return safe === "" ? "file" : safe;
}
