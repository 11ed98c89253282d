import type { Message, ModelMessage } from "@incipit/schema";
import { HistoryMemo } from "../store/history-memo.ts";
import { describeFile } from "./input-text.ts";
import type { FoundModel } from "../models/find-model.ts";

type Part = ModelMessage["parts"][number];

/** A message as part of a history. Reasoning of which it is not known who said it has no use to anybody. */
export function toModelMessage({ role, parts, model }: Message): ModelMessage {
  return model === undefined ? { role, parts: withoutVendors(parts) } : { role, parts, model };
}

/** The same list, where nothing is left out of it: nearly all messages are texts that their user wrote. */
function withoutVendors(parts: Message["parts"]): Message["parts"] {
  for (const part of parts) if (!isPlainText(part)) return parts.flatMap(withoutVendor);
  return parts;
}

/** In the order of its keys as well: the audit hashes what stands in it. */
function isPlainText(part: Part): boolean {
  if (part.type !== "text" || part.text === "") return false;
  let count = 0;
  for (const key in part) if (key !== (count++ === 0 ? "type" : "text")) return false;
  return true;
}

/**
 * A history as one model gets it. What was said with a vendor's reasoning and metadata goes to another without, and a file
 * that the model does not take is named in its place, always in the same words.
 */
export function messagesFor(found: FoundModel, history: readonly ModelMessage[]): readonly ModelMessage[] {
  const { id } = found.provider;
  const before = plainFor.take(history);
  let plainCount = before?.value === id ? before.messageCount : 0;
  while (isPlain(history[plainCount], id)) plainCount += 1;
  plainFor.set(history, id, plainCount);
  if (plainCount === history.length) return history;
  const rest = history.slice(plainCount);
  return [
    ...history.slice(0, plainCount),
    ...rest.map((message) =>
      message.role === "user" ? withFilesFor(found, message) : withoutOtherVendor(message, `${id}/`),
    ),
  ];
}

/** The provider that takes a history as it is, up to its newest message that has no files. */
const plainFor = new HistoryMemo<string>();

/** No provider of that id needs another message in its place. */
function isPlain(message: ModelMessage | undefined, providerId: string): boolean {
  if (message === undefined) return false;
  return message.role === "user"
    ? !message.parts.some(isFile)
    : withoutOtherVendor(message, `${providerId}/`) === message;
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
  const isLeftOut = (part: Part): boolean => part.type === "file" && !acceptsFile(found, part.mediaType);
  if (!message.parts.some(isLeftOut)) return message;
  const parts = message.parts.flatMap((part): Part[] =>
    part.type === "file" && isLeftOut(part)
      ? [{ type: "text", text: `[${describeFile(part)}; left out: this model does not take it]` }]
      : [part],
  );
  const texts = parts.filter((part) => part.type === "text");
  if (texts.length < parts.length) return { ...message, parts };
  // One text, as of any message without files: not every endpoint takes a list.
  return { ...message, parts: [{ type: "text", text: texts.map(({ text }) => text).join("\n") }] };
}

function isFile(part: Part): boolean {
  return part.type === "file";
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
