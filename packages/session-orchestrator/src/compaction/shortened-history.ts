import { describeFile, type MessagePart, type ModelMessage } from "@incipit/schema";

/** Bounds of a history for a summary of it, in UTF-16 units. */
export interface HistoryLimits {
  /** Longest result, text and arguments. */
  readonly part: number;
  /** Longest that all messages are together: the oldest ones go. */
  readonly total: number;
}

/**
 * A history for a call that has to fit where the history itself did not: the middle of what is long is left out, files are named, and
 * where all of it is still too much, the oldest messages go. It begins with a message of the user.
 */
export function shortenedHistory(
  messages: readonly ModelMessage[],
  limits: HistoryLimits,
): readonly ModelMessage[] {
  const short = messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => shortenedPart(part, limits.part)),
  }));
  let [length, from] = [0, short.length];
  while (from > 0) {
    const size = JSON.stringify(short[from - 1]?.parts).length;
    if (length + size > limits.total) break;
    length += size;
    from -= 1;
  }
  if (from === 0) return short;
  // A result without its call would be refused, and so would a history that begins with a reply.
  const begin = short.findIndex(({ role }, index) => index >= from && role === "user");
  const [first, ...rest] = begin === -1 ? [] : short.slice(begin);
  if (first !== undefined) return [{ ...first, parts: [note, ...first.parts] }, ...rest];
  const said = short.slice(from).flatMap(({ parts }) => parts.map(wordsOf));
  return [{ role: "user", parts: [note, { type: "text", text: said.join("\n\n") }] }];
}

const note = { type: "text", text: "[earlier messages are left out here]" } as const;

function wordsOf(part: MessagePart): string {
  if (part.type === "tool-result") return part.output;
  return part.type === "text" || part.type === "reasoning" ? part.text : "";
}

/** The middle of what is long is left out. */
export function shortenedText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const tail = Math.floor(maxLength / 3);
  const head = text.slice(0, maxLength - tail).toWellFormed();
  return `${head}\n[${text.length - maxLength} characters are left out here]\n${text.slice(-tail).toWellFormed()}`;
}

function shortenedPart(part: MessagePart, maxLength: number): MessagePart {
  switch (part.type) {
    case "tool-result":
      return { ...part, output: shortenedText(part.output, maxLength) };
    case "text":
      return { ...part, text: shortenedText(part.text, maxLength) };
    case "tool-call":
      return part.input.length <= maxLength ? part : { ...part, input: "{}" };
    case "file":
      return { type: "text", text: `[${describeFile(part)}]` };
    default:
      return part;
  }
}
