import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import type { ChatChunk } from "./chat-chunk.ts";
import type { ChatDialect } from "./chat-request.ts";

const text = z.string().nullish();
const count = z.number().nullish();

/** What vendors say of an error, as an answer or as an event of a stream. */
const errorSchema = lazySchema(() =>
  z.object({
    message: z.string(),
    type: text,
    param: z.unknown().nullish(),
    code: z.union([z.string(), z.number()]).nullish(),
  }),
);
export const chatErrorSchema = lazySchema(() => z.object({ error: errorSchema }));
export type ChatEvent = ChatChunk | { readonly error: unknown };

/**
 * A chunk, or an error, as the AI SDK's packages take them: a stream that they refuse is refused, in the same words. Made by
 * whoever meets the first chunk that is not plain.
 */
export function chunkSchema(dialect: ChatDialect): z.ZodType<ChatEvent> {
  return z.union([dialect === "openai" ? openaiChunk() : compatibleChunk(), chatErrorSchema]);
}

function openaiChunk() {
  const logprobs = z
    .array(
      z.object({
        token: z.string(),
        logprob: z.number(),
        top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })),
      }),
    )
    .nullish();
  const citation = z.object({
    start_index: z.number(),
    end_index: z.number(),
    url: z.string(),
    title: z.string(),
  });
  const call = z.object({
    index: z.number(),
    id: text,
    type: z.literal("function").nullish(),
    function: z.object({ name: text, arguments: text }),
  });
  const delta = z.object({
    role: z.enum(["assistant"]).nullish(),
    content: text,
    refusal: text,
    tool_calls: z.array(call).nullish(),
    annotations: z.array(z.object({ type: z.literal("url_citation"), url_citation: citation })).nullish(),
  });
  return z.object({
    id: text,
    created: count,
    model: text,
    choices: z.array(
      z.object({
        delta: delta.nullish(),
        logprobs: z.object({ content: logprobs, refusal: logprobs }).nullish(),
        finish_reason: text,
        index: z.number(),
      }),
    ),
    usage: z
      .object({
        prompt_tokens: count,
        completion_tokens: count,
        total_tokens: count,
        prompt_tokens_details: z.object({ cached_tokens: count, cache_write_tokens: count }).nullish(),
        completion_tokens_details: z
          .object({
            reasoning_tokens: count,
            accepted_prediction_tokens: count,
            rejected_prediction_tokens: count,
          })
          .nullish(),
      })
      .nullish(),
  });
}

function compatibleChunk() {
  const call = z.object({
    index: count,
    id: text,
    function: z.object({ name: text, arguments: text }),
    extra_content: z.object({ google: z.object({ thought_signature: text }).nullish() }).nullish(),
  });
  const delta = z.object({
    role: z.enum(["assistant", ""]).nullish(),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
    refusal: z.unknown().nullish(),
    reasoning_content: text,
    reasoning: text,
    tool_calls: z.array(call).nullish(),
  });
  return z.looseObject({
    id: text,
    created: count,
    model: text,
    choices: z.array(z.object({ delta: delta.nullish(), finish_reason: text })),
    usage: z.looseObject({}).nullish().catch(undefined),
  });
}
