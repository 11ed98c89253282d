import { clippedLine } from "./shown-text.ts";

/** A text on one line of at most `width` characters; what is cut off ends with a mark. */
export function clipped(text: string, width: number): string {
  const characters = Array.from(clippedLine(text, { maxCharacters: 10 * width }));
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 1).join("")}…`;
}
