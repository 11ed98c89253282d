import { toFilename } from "@incipit/schema";

/** Quotes and semicolons delimit parts of a multipart header. */
export function uploadName(name: string): string {
  const safe = toFilename(name.replaceAll(/["';]/g, "_")).trim();
  return safe === "" ? "file" : safe;
}
