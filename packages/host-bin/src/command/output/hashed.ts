import { shaText } from "@incipit/host/text";
import type { Output } from "./output.ts";

/** Formats a line with a hash: the full hash for a program, a prefix that fits for a screen. */
export function hashed(
  sha256: string,
  line: (hash: string) => string,
  { isScreen, width }: Pick<Output, "isScreen" | "width">,
): string {
  return shaText(sha256, line, isScreen ? width : Infinity);
}
