import type { FilePart, MessagePart } from "./message-part.ts";

export type InputPart = Extract<MessagePart, { readonly type: "text" | "file" }>;

/** Returns the text of a user message, with one line per file. */
export function inputText(input: string | readonly InputPart[]): string {
  if (typeof input === "string") return input;
  let text = "";
  let before: InputPart | undefined;
  for (const part of input) {
    const isOfOneText = before?.type === "text" && part.type === "text";
    if (before !== undefined && !isOfOneText && !text.endsWith("\n")) text += "\n";
    text += part.type === "text" ? part.text : `[${describeFile(part)}]`;
    before = part;
  }
  return text;
}

/** Returns a description such as `file: cat.png, image/png, 512 bytes`. */
export function describeFile({ filename, mediaType, data }: FilePart): string {
  const name = filename === undefined ? [] : [filename];
  return `file: ${[...name, mediaType, `${base64Bytes(data)} bytes`].join(", ")}`;
}

function base64Bytes(data: string): number {
  return Math.floor((data.replace(/=+$/, "").length * 3) / 4);
}
