import { shorten } from "@incipit/common";
import type { MessagePart, ModelMessage } from "@incipit/schema";
import { maxHistoryBytes, maxHistoryOutputBytes } from "./limits.ts";

export type HistoryReason =
  | "new-session"
  | "meanwhile"
  /** Its last turn was interrupted, and it may have lost the request. */
  | "cut-off";

const openings = {
  "new-session":
    "This conversation began before this session. This is what was said in it, oldest first; do not answer it again, and go on with the message behind this block.",
  meanwhile:
    "This was said in this conversation without you since your last answer, oldest first; do not answer it again, and go on with the message behind this block.",
  "cut-off":
    "Your last turn in this conversation was cut off. This is what it was about; go on with the message behind this block.",
} as const satisfies Record<HistoryReason, string>;

const closing = "</conversation-history>";

export function historyText(messages: readonly ModelMessage[], reason: HistoryReason): string {
  const told: string[] = [];
  let sizeBytes = 0;
  let leftOut = 0;
  for (const message of messages.toReversed()) {
    const text = messageText(message);
    if (text === "") continue;
    const size = Buffer.byteLength(text) + 2;
    if (leftOut > 0 || sizeBytes + size > maxHistoryBytes) {
      if (told.length === 0) told.push(endOf(text, maxHistoryBytes));
      else leftOut += 1;
      sizeBytes = maxHistoryBytes;
      continue;
    }
    sizeBytes += size;
    told.push(text);
  }
  const cut = leftOut === 0 ? [] : [`[${leftOut} older ${leftOut === 1 ? "message is" : "messages are"} left out]`];
  return ["<conversation-history>", openings[reason], ...cut, ...told.toReversed(), closing].join("\n\n");
}

function messageText({ role, parts }: ModelMessage): string {
  const texts = parts.map(partText).filter((text) => text !== "");
  if (texts.length === 0) return "";
  const opening = role === "tool" ? "" : `[${role}]\n`;
  return `${opening}${texts.join("\n")}`.replaceAll(closing, "<\\/conversation-history>");
}

function partText(part: MessagePart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "reasoning":
      return "";
    case "file":
      return `[a file${part.filename === undefined ? "" : ` "${part.filename}"`}, ${part.mediaType}]`;
    case "tool-call":
      return `[called the tool ${part.name} with ${shorten(part.input, maxHistoryOutputBytes)}]`;
    case "tool-result":
      return `[${part.isError ? "it failed" : "it gave"}: ${shorten(part.output, maxHistoryOutputBytes)}]`;
  }
}

function endOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes
    ? text
    : `…${bytes
        .subarray(bytes.length - maxBytes)
        .toString()
        .toWellFormed()}`;
}
