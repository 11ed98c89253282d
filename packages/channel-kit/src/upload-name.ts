import { toFilename } from "@incipit/schema";

/** Returns a file's name for the head of a multipart body, which quotes and semicolons would end. */
export function uploadName(name: string): string {
  const safe = toFilename(name.replaceAll(/["';]/g, "_")).trim();
  return safe === "" ? "file" : safe;
}
