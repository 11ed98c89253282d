import type { FinishReason, Usage } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import * as z from "zod";
import { CallError } from "./call-error.ts";

const callSchema = z.object({
  index: z.int(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }),
});
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), tool_calls: z.array(callSchema).nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .default([]),
  usage: z
    .object({
      prompt_tokens: z.int().nullish(),
      completion_tokens: z.int().nullish(),
      prompt_tokens_details: z
        .object({ cached_tokens: z.int().nullish(), cache_write_tokens: z.int().nullish() })
        .nullish(),
    })
    .nullish(),
  error: z.object({ message: z.string() }).nullish(),
});
type Chunk = z.infer<typeof chunkSchema>;

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["tool_calls", "tool-calls"],
  ["content_filter", "content-filter"],
]);

/**
 * Yields the events of a streamed reply; the last one is `finish`.
 * @throws {CallError} for a truncated or invalid reply.
 */
export async function* readReply(response: Response): AsyncGenerator<ModelEvent> {
  const partId = "0";
  const calls = new Map<number, { readonly toolCallId: string; readonly name: string; input: string }>();
  let isOpen = false;
  let finish: string | undefined;
  let usage: Chunk["usage"];
  for await (const chunk of chunksOf(response)) {
    if (chunk.error) throw new CallError("FAILED", `"acme" ended its reply with an error: ${chunk.error.message}`);
    usage = chunk.usage ?? usage;
    const [choice] = chunk.choices;
    finish = choice?.finish_reason ?? finish;
    for (const { index, id, function: part } of choice?.delta.tool_calls ?? []) {
      const call = calls.get(index) ?? { toolCallId: id ?? `call-${index}`, name: part.name ?? "", input: "" };
      call.input += part.arguments ?? "";
      calls.set(index, call);
    }
    const text = choice?.delta.content ?? "";
    if (text === "") continue;
    if (!isOpen) yield { type: "text-start", partId };
    isOpen = true;
    yield { type: "text-delta", partId, text };
  }
  if (finish === undefined) throw cutOff();
  if (isOpen) yield { type: "text-end", partId };
  for (const call of calls.values()) yield { type: "tool-call", ...call }; // Calls are complete only now.
  yield { type: "finish", usage: toUsage(usage), finishReason: finishReasons.get(finish) ?? "other" };
}

/** Missing counts are `null`, not 0. */
function toUsage(usage: Chunk["usage"]): Usage {
  return {
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? null,
    cacheReadTokens: usage?.prompt_tokens_details?.cached_tokens ?? null,
    cacheWriteTokens: usage?.prompt_tokens_details?.cache_write_tokens ?? null,
  };
}

async function* chunksOf(response: Response): AsyncGenerator<Chunk> {
  for await (const line of linesOf(response)) {
    if (!line.startsWith("data:")) continue;
    const data = line.slice("data:".length).trim();
    if (data === "[DONE]") continue;
    const chunk = chunkSchema.safeParse(jsonOf(data));
    if (!chunk.success) throw new CallError("BAD_RESPONSE", '"acme" sent what is no valid reply');
    yield chunk.data;
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch {
    throw cutOff(); // The connection broke, or the caller has aborted.
  }
}

function cutOff(): CallError {
  return new CallError("CUT_OFF", '"acme" stopped in the middle of its reply', { isRetryable: true });
}

/** Returns `undefined` for invalid JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Rejected by the schema.
  }
}
