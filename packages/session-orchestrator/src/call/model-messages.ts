import type { Message, ModelMessage } from "@incipit/schema";
import { describeFile } from "./input-text.ts";
import type { FoundModel } from "../models/models.ts";

type Part = ModelMessage["parts"][number];

/** A message as part of a history. Reasoning of which it is not known who said it has no use to anybody. */
export function toModelMessage({ role, parts, model }: Message): ModelMessage {
  return model === undefined ? { role, parts: parts.flatMap(withoutVendor) } : { role, parts, model };
}

/**
 * A history as one model gets it. What was said with a vendor's reasoning and metadata goes to another without, and a file
 * that the model does not take is named in its place, always in the same words.
 */
export function messagesFor(found: FoundModel, history: readonly ModelMessage[]): readonly ModelMessage[] {
  const prefix = `${found.provider.id}/`;
  return history.map((message) => {
    if (message.role === "user") return withFilesFor(found, message);
    if (message.model === undefined || message.model.startsWith(prefix) || !message.parts.some(isOfVendor))
      return message;
    return { ...message, parts: message.parts.flatMap(withoutVendor) };
  });
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
