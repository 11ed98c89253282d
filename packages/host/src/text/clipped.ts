import { clippedLine } from "./shown-text.ts";

export function clipped(text: string, width: number): string {
  const characters = Array.from(clippedLine(text, { maxCharacters: 10 * width }));
  return characters.length <= width ? characters.join("") : `${characters.slice(0, width - 1).join("")}…`;
}
