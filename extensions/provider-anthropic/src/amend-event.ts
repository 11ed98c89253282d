import { parsedJson } from "@incipit/model-endpoint";
import * as z from "zod";

/** Event types that the package knows; the API may add others at any time: https://platform.claude.com/docs/en/api/versioning */
const eventTypes = new Set([
  "message_start",
  "message_delta",
  "message_stop",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "ping",
  "error",
]);

const eventSchema = z.looseObject({ type: z.string() });
const startSchema = z.looseObject({ message: z.looseObject({ usage: z.looseObject({}).nullish() }) });
const deltaSchema = z.looseObject({ usage: z.looseObject({}).nullish() });

/** What the vendor has summed up of the request: nothing that the model says. The package takes it for a text. */
const compactionSchema = z.looseObject({ delta: z.looseObject({ type: z.literal("compaction_delta") }) });

/** What the package wants a number for, and was not reported. */
const unreported = -1;

/**
 * The package ends a reply with an error for an event that it does not know, and where usage was not reported, as endpoints
 * that only speak the protocol do. Such events do not reach it, and such a count is `unreported`.
 */
export function amendEvent(data: string): string | undefined {
  const event = eventSchema.safeParse(parsedJson(data));
  if (!event.success) return data; // The package says what is wrong with it.
  const { type } = event.data;
  if (!eventTypes.has(type)) return undefined;
  if (compactionSchema.safeParse(event.data).success) return undefined;
  if (type === "message_start") return withStartUsage(event.data) ?? data;
  if (type === "message_delta") return withDeltaUsage(event.data) ?? data;
  return data;
}

function withStartUsage(event: unknown): string | undefined {
  const { data } = startSchema.safeParse(event);
  if (data === undefined || typeof data.message.usage?.["input_tokens"] === "number") return undefined;
  const usage = { ...data.message.usage, input_tokens: unreported };
  return JSON.stringify({ ...data, message: { ...data.message, usage } });
}

function withDeltaUsage(event: unknown): string | undefined {
  const { data } = deltaSchema.safeParse(event);
  if (data === undefined || typeof data.usage?.["output_tokens"] === "number") return undefined;
  return JSON.stringify({ ...data, usage: { ...data.usage, output_tokens: unreported } });
}
