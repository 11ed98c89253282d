import { parsedJson } from "@incipit/model-endpoint";
import * as z from "zod";

const failedSchema = z.looseObject({
  type: z.literal("response.failed"),
  response: z.looseObject({ error: z.null().optional() }),
});
const chatChunkSchema = z.object({ object: z.literal("chat.completion.chunk") });

const unexplained = { code: "server_error", message: "the response failed, and the vendor does not say why" };
const isChat = {
  type: "error",
  sequence_number: 0,
  code: "invalid_api",
  message: 'this endpoint speaks chat completions: set api = "chat", or kind = "openai-compatible"',
};

/** Where a text has something from. Nobody is shown it, and xAI's have other fields than those that the package takes. */
const annotationAdded = '"response.output_text.annotation.added"';
const annotations = /"annotations"\s*:\s*\[\s*\{/;

/**
 * One event of a reply, for those that the package takes for broken, tells nobody about, or has in its own users' words: where a text
 * has something from, a response that failed without an error, and a chunk of the older protocol. `undefined`: it is left out.
 */
export function amendResponseEvent(data: string): string | undefined {
  if (data.includes(annotationAdded)) return undefined;
  if (annotations.test(data)) return amendResponseEvent(JSON.stringify(withoutAnnotations(parsedJson(data))));
  // Looked for before it is parsed: a reply has thousands of events.
  const isMeant = data.includes('"response.failed"') || data.includes('"chat.completion.chunk"');
  if (!isMeant) return data;
  const event = parsedJson(data);
  if (chatChunkSchema.safeParse(event).success) return JSON.stringify(isChat);
  const failed = failedSchema.safeParse(event);
  if (!failed.success) return data;
  return JSON.stringify({ ...failed.data, response: { ...failed.data.response, error: unexplained } });
}

function withoutAnnotations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnnotations);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, held]) => [
    key,
    key === "annotations" ? [] : withoutAnnotations(held),
  ]);
  return Object.fromEntries(fields);
}
