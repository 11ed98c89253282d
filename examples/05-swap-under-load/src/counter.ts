import type { Clock } from "@incipit/kernel";
import type { MessagePart } from "@incipit/schema";
import type { ModelEvent, ModelProvider, ModelRequest } from "@incipit/service-contract";

const partId = "0";
const pauseMs = 2;

/** A model that counts word by word, slowly enough for swaps during a reply. */
export function createCounter(words: readonly string[], clock: Clock): ModelProvider {
  return {
    id: "counter",
    models: ["words"],
    problem: null,
    stream: (request) => count(words, request, clock),
  };
}

/** Ends normally even if its extension was swapped: the host waits for it. */
async function* count(
  words: readonly string[],
  { systemPrompt, messages, tools, signal, observe }: ModelRequest,
  clock: Clock,
): AsyncGenerator<ModelEvent> {
  try {
    signal.throwIfAborted();
    const told = messages.map(({ role, parts }) => ({ role, text: textOf(parts) }));
    const system = systemPrompt.length === 0 ? {} : { system: systemPrompt };
    const body = JSON.stringify({ tools, ...system, messages: told });
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
    const sha256 = new Uint8Array(hash).toHex();
    await observe({ method: "POST", url: "counter:words", headers: {}, body, sha256, at: clock.now() });
    yield { type: "text-start", partId };
    for (const word of words) {
      await new Promise<void>((resolve) => clock.setTimer(resolve, pauseMs));
      signal.throwIfAborted();
      yield { type: "text-delta", partId, text: `${word} ` };
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    yield { type: "failure", error: { code: "FAILED", message, isRetryable: false } };
    return;
  }
  yield { type: "text-end", partId };
  const usage = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
  yield { type: "finish", usage, finishReason: "stop" };
}

function textOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
