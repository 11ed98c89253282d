import { clippedLine } from "@incipit/schema/text";
import type { Message } from "@incipit/schema";
import { harmless } from "../transcript/block.ts";

const maxCharacters = 300;

export function messageLine(message: Message): string | undefined {
  const text = message.parts
    .flatMap((part) => (part.type === "text" ? [part.text] : part.type === "file" ? ["[a file]"] : []))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (text === "") return undefined;
  return `${message.role === "user" ? "> " : ""}${clippedLine(text, { maxCharacters })}`;
}

const maxLines = 40;

export function shownLines(text: string): readonly string[] {
  return harmless(text.slice(0, 8_000)).split("\n").slice(0, maxLines);
}
