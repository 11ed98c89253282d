import { describeFile, type MessagePart, type ModelMessage } from "@incipit/schema";

export interface HistoryLimits {
  readonly part: number;
  readonly total: number;
}

const note = "[earlier messages are left out here]";
const minMessages = 4;

/**
 * Truncates long parts in the middle, describes files, drops reasoning, then the oldest messages. Starts with a user
 * message and keeps calls with results.
 */
export function shortenedHistory(
  messages: readonly ModelMessage[],
  limits: HistoryLimits,
): readonly ModelMessage[] {
  const short = shortened(messages, limits.part);
  const from = firstWithin(short, limits.total);
  if (from === 0) return short;
  // Vendors reject a result without its call, and a history that starts with a reply.
  const begin = short.findIndex(({ role }, index) => index >= from && role === "user");
  const [first, ...rest] = begin === -1 ? [] : short.slice(begin);
  if (first !== undefined) return [{ ...first, parts: [{ type: "text", text: note }, ...first.parts] }, ...rest];
  return [{ role: "user", parts: [{ type: "text", text: formatAsText(short.slice(from), limits.total) }] }];
}

function firstWithin(messages: readonly ModelMessage[], maxLength: number): number {
  let length = 0;
  for (let from = messages.length; from > 0; from -= 1) {
    length += JSON.stringify(messages[from - 1]?.parts).length;
    if (length > maxLength) return Math.min(from, Math.max(0, messages.length - minMessages));
  }
  return 0;
}

/** Used when the turn's user message was dropped. */
function formatAsText(messages: readonly ModelMessage[], maxLength: number): string {
  const said = messages.flatMap(({ role, parts }) => parts.flatMap((part) => `${role}: ${wordsOf(part)}`));
  return `${note}\n\n${shortenedText(said.join("\n\n"), maxLength)}`;
}

function wordsOf(part: MessagePart): string {
  switch (part.type) {
    case "tool-result":
      return `[${part.name}] ${part.output}`;
    case "tool-call":
      return `[calls ${part.name}] ${part.input}`;
    case "file":
      return `[${describeFile(part)}]`;
    case "text":
    case "reasoning":
      return part.text;
  }
}

export function shortenedText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const tail = Math.floor(maxLength / 3);
  const head = text.slice(0, maxLength - tail).toWellFormed();
  return `${head}\n[${text.length - maxLength} characters are left out here]\n${text.slice(-tail).toWellFormed()}`;
}

function shortened(messages: readonly ModelMessage[], maxLength: number): readonly ModelMessage[] {
  return messages.flatMap((message) => {
    const parts = message.parts.flatMap((part) => shortenedPart(part, maxLength));
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });
}

function shortenedPart(part: MessagePart, maxLength: number): readonly MessagePart[] {
  switch (part.type) {
    case "tool-result": {
      const { files = [], ...result } = part;
      const named = files.map((file) => `\n[${describeFile(file)}]`).join("");
      return [{ ...result, output: shortenedText(part.output, maxLength) + named }];
    }
    case "text":
      return [{ type: "text", text: shortenedText(part.text, maxLength) }];
    case "tool-call":
      return [part.input.length <= maxLength ? part : { ...part, input: "{}" }];
    case "file":
      return [{ type: "text", text: `[${describeFile(part)}]` }];
    case "reasoning":
      return [];
  }
}
