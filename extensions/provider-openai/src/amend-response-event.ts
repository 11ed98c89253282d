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

/**
 * One event of a reply, for two that the package tells nobody about, or in its own users' words: a response that failed
 * without an error, and a chunk of the older protocol.
 */
export function amendResponseEvent(data: string): string {
  // Looked for before it is parsed: a reply has thousands of events.
  const isMeant = data.includes('"response.failed"') || data.includes('"chat.completion.chunk"');
  if (!isMeant) return data;
  const event = parsedJson(data);
  if (chatChunkSchema.safeParse(event).success) return JSON.stringify(isChat);
  const failed = failedSchema.safeParse(event);
  if (!failed.success) return data;
  return JSON.stringify({ ...failed.data, response: { ...failed.data.response, error: unexplained } });
}
