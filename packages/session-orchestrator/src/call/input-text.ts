import type { CommandCall, CreateTurnRequest, FilePart, MessagePart } from "@incipit/schema";

type InputPart = Extract<MessagePart, { readonly type: "text" | "file" }>;

/** What was said as text, each file named in a line of its own. */
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

/** The input without halves of surrogate pairs: such a request is no JSON for some vendors, nor any later one with it. */
export function wellFormedInput(input: CreateTurnRequest["input"]): CreateTurnRequest["input"] {
  if (typeof input === "string") return input.toWellFormed();
  return input.map((part) => (part.type === "text" ? { ...part, text: part.text.toWellFormed() } : part));
}

/** As above. */
export function wellFormedCall({ name, arguments: given }: CommandCall): CommandCall {
  return given === undefined ? { name } : { name, arguments: given.toWellFormed() };
}

/** Such as `file: cat.png, image/png, 512 bytes`. */
export function describeFile({ filename, mediaType, data }: FilePart): string {
  const name = filename === undefined ? [] : [filename];
  return `file: ${[...name, mediaType, `${Buffer.byteLength(data, "base64")} bytes`].join(", ")}`;
}
