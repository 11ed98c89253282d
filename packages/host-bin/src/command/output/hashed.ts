import { shaText } from "@incipit/cli-text";
import type { Output } from "./output.ts";

export function hashed(
  sha256: string,
  line: (hash: string) => string,
  { isScreen, width }: Pick<Output, "isScreen" | "width">,
): string {
  return shaText(sha256, line, isScreen ? width : Infinity);
}
