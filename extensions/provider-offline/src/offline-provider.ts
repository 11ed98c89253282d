import type { Clock } from "@incipit/kernel";
import type { ModelEvent, ModelMessage, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { createHash } from "node:crypto";

const partId = "0";

/**
 * A model that needs no key and no network: its reply states what it was told. Nothing leaves the host; what it observes is
 * the request as it would have been written, so that the record of a step exists for it too.
 */
export function createOfflineProvider(id: string, clock: Clock): ModelProvider {
  return {
    id,
    models: ["echo"],
    isClosedList: true,
    problem: null,
    stream: (request) => reply(id, request, clock),
  };
}

async function* reply(id: string, request: ModelRequest, clock: Clock): AsyncGenerator<ModelEvent> {
  const { model, tools, systemPrompt, messages, signal } = request;
  try {
    signal.throwIfAborted();
    const body = JSON.stringify({ model, tools, system: systemPrompt, messages });
    await request.observe({
      method: "POST",
      url: `${id}:${model}`,
      headers: {},
      body,
      sha256: sha256(body),
      at: clock.now(),
    });
    signal.throwIfAborted();
  } catch (error) {
    yield {
      type: "failure",
      error: {
        code: "FAILED",
        message: error instanceof Error ? error.message : String(error),
        isRetryable: false,
      },
    };
    return;
  }
  yield { type: "text-start", partId };
  for (const text of describe(request)) {
    if (signal.aborted) {
      yield { type: "failure", error: { code: "FAILED", message: "The call was stopped", isRetryable: false } };
      return;
    }
    yield { type: "text-delta", partId, text };
  }
  yield { type: "text-end", partId };
  yield {
    type: "finish",
    usage: { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null },
    finishReason: "stop",
  };
}

/** Lines of the reply; each is one delta. */
function describe({ systemPrompt, tools, messages }: ModelRequest): readonly string[] {
  const system = systemPrompt.join("\n\n");
  const prompt =
    systemPrompt.length === 0
      ? "System prompt: none was sent.\n"
      : `System prompt: ${Buffer.byteLength(system)} bytes, SHA-256 ${sha256(system)}.\nIts first line: ${system.split("\n", 1)[0] ?? ""}\n`;
  const names = tools.map((tool) => tool.name);
  return [
    "I am the offline model: I can only say what I was told.\n",
    prompt,
    `Tools: ${names.length === 0 ? "none" : names.join(", ")}.\n`,
    `Messages: ${messages.length}.\n`,
    `You said: ${lastUserText(messages)}`,
  ];
}

function lastUserText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast((message) => message.role === "user");
  return last?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("") ?? "";
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
