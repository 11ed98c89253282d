import { describeFile, type FilePart, type Message, type ModelMessage } from "@incipit/schema";
import type { FoundModel } from "../models/find-model.ts";

type Part = ModelMessage["parts"][number];

/** Drops reasoning and metadata of an unknown model. */
export function toModelMessage({ role, parts: stored, model }: Message): ModelMessage {
  const parts = withoutRemoved(stored);
  return model === undefined ? { role, parts: withoutVendors(parts) } : { role, parts, model };
}

function withoutRemoved(parts: Message["parts"]): Message["parts"] {
  if (!parts.some(hasRemoved)) return parts;
  const left = parts.map((part): Part => {
    if (part.type === "file" && part.removedAt !== undefined) return { type: "text", text: removedText(part) };
    if (part.type !== "tool-result" || !hasRemoved(part)) return part;
    const { files = [], output, ...result } = part;
    const kept = files.filter(({ removedAt }) => removedAt === undefined);
    const notes = files.filter(({ removedAt }) => removedAt !== undefined).map(removedText);
    return { ...result, output: [output, ...notes].join("\n"), ...(kept.length === 0 ? {} : { files: kept }) };
  });
  const texts = left.filter((part) => part.type === "text");
  // Merged into one text part, as in messages without files.
  return texts.length < left.length ? left : [{ type: "text", text: texts.map(({ text }) => text).join("\n") }];
}

function hasRemoved(part: Part): boolean {
  if (part.type === "tool-result") return (part.files ?? []).some(({ removedAt }) => removedAt !== undefined);
  return part.type === "file" && part.removedAt !== undefined;
}

function removedText(file: FilePart): string {
  return `[${describeFile(file)}; removed by the user at ${file.removedAt}]`;
}

/** Returns the same array if nothing is omitted. */
function withoutVendors(parts: Message["parts"]): Message["parts"] {
  for (const part of parts) if (!isPlainText(part)) return parts.flatMap(withoutVendor);
  return parts;
}

/** Also checks the key order, because the audit hashes the JSON. */
function isPlainText(part: Part): boolean {
  if (part.type !== "text" || part.text === "") return false;
  let count = 0;
  for (const key in part) if (key !== (count++ === 0 ? "type" : "text")) return false;
  return true;
}

/** Prepares the messages of a conversation for a provider; a request looks only at the new ones. */
export class SendableMessages {
  #providerId: string | undefined;
  #plainCount = 0;
  #newestPlain: ModelMessage | undefined;

  /** Omits reasoning and metadata of other vendors, and replaces unsupported files by a constant description. */
  for(found: FoundModel, history: readonly ModelMessage[]): readonly ModelMessage[] {
    const { id } = found.provider;
    const isKnown = this.#providerId === id && history[this.#plainCount - 1] === this.#newestPlain;
    let plainCount = isKnown ? this.#plainCount : 0;
    while (isPlain(history[plainCount], id)) plainCount += 1;
    this.#providerId = id;
    this.#plainCount = plainCount;
    this.#newestPlain = history[plainCount - 1];
    if (plainCount === history.length) return history;
    const rest = history.slice(plainCount);
    return [
      ...history.slice(0, plainCount),
      ...rest.map((message) =>
        message.role === "assistant" ? withoutOtherVendor(message, `${id}/`) : withFilesFor(found, message),
      ),
    ];
  }
}

function isPlain(message: ModelMessage | undefined, providerId: string): boolean {
  if (message === undefined) return false;
  return message.role === "assistant"
    ? withoutOtherVendor(message, `${providerId}/`) === message
    : !message.parts.some(hasFile);
}

function withoutOtherVendor(message: ModelMessage, prefix: string): ModelMessage {
  const { model, parts } = message;
  if (model === undefined || model.startsWith(prefix) || !parts.some(isOfVendor)) return message;
  return { ...message, parts: parts.flatMap(withoutVendor) };
}

export function acceptsFile({ provider, name }: FoundModel, mediaType: string): boolean {
  return provider.acceptsFile?.({ model: name, mediaType }) === true;
}

function withFilesFor(found: FoundModel, message: ModelMessage): ModelMessage {
  if (message.role === "tool") return withToolFilesFor(found, message);
  const isLeftOut = (part: Part): boolean => part.type === "file" && !acceptsFile(found, part.mediaType);
  if (!message.parts.some(isLeftOut)) return message;
  const parts = message.parts.flatMap((part): Part[] =>
    part.type === "file" && isLeftOut(part) ? [{ type: "text", text: leftOutText(part) }] : [part],
  );
  const texts = parts.filter((part) => part.type === "text");
  if (texts.length < parts.length) return { ...message, parts };
  // Merged into one text part, because some endpoints accept only a string.
  return { ...message, parts: [{ type: "text", text: texts.map(({ text }) => text).join("\n") }] };
}

function withToolFilesFor({ provider, name }: FoundModel, message: ModelMessage): ModelMessage {
  const isTaken = ({ mediaType }: FilePart): boolean =>
    provider.acceptsToolFile?.({ model: name, mediaType }) === true;
  const isWhole = (part: Part): boolean => part.type !== "tool-result" || (part.files ?? []).every(isTaken);
  if (message.parts.every(isWhole)) return message;
  const parts = message.parts.map((part): Part => {
    if (part.type !== "tool-result" || isWhole(part)) return part;
    const { files = [], output, ...result } = part;
    const taken = files.filter(isTaken);
    const leftOut = files.filter((file) => !isTaken(file)).map(leftOutText);
    return {
      ...result,
      output: [output, ...leftOut].join("\n"),
      ...(taken.length === 0 ? {} : { files: taken }),
    };
  });
  return { ...message, parts };
}

function leftOutText(file: FilePart): string {
  return `[${describeFile(file)}; omitted: this model does not accept it]`;
}

function hasFile(part: Part): boolean {
  return part.type === "file" || (part.type === "tool-result" && part.files !== undefined);
}

function isOfVendor(part: Part): boolean {
  return part.type === "reasoning" || ("metadata" in part && part.metadata !== undefined);
}

function withoutVendor(part: Part): Part[] {
  switch (part.type) {
    case "reasoning":
      return [];
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "tool-call": {
      const { type, toolCallId, name, input } = part;
      return [{ type, toolCallId, name, input }];
    }
    case "tool-result":
    case "file":
      return [part];
  }
}
