import { sha256Hex } from "@incipit/common";
import { KernelError, type Clock } from "@incipit/kernel";
import type { FilePart, MessagePart, ModelFacts, ModelMessage } from "@incipit/schema";
import { ServiceError, type ModelEvent, type ModelProvider, type ModelRequest } from "@incipit/service-contract";

const partId = "0";
const models = ["echo"];
const stopped = failure("FAILED", "The call was stopped");

const facts: ModelFacts = {
  contextWindow: null,
  maxOutputTokens: null,
  prices: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  inputs: ["text", "image", "pdf", "audio", "video"],
  source: "the host",
};

/** Records each request as if it had been sent, so that its steps can be inspected, too. */
export function createOfflineProvider(id: string, clock: Clock): ModelProvider {
  return {
    id,
    models,
    isClosedList: true,
    problem: null,
    contextWindow: async () => Number.POSITIVE_INFINITY,
    facts: async () => facts,
    acceptsFile: () => true,
    stream: (request) => reply(id, request, clock),
  };
}

async function* reply(id: string, request: ModelRequest, clock: Clock): AsyncGenerator<ModelEvent> {
  const { model, signal } = request;
  if (!models.includes(model)) {
    const known = models.map((name) => `"${id}/${name}"`).join(", ");
    yield failure("BAD_REQUEST", `Cannot use model "${id}/${model}": "${id}" has ${known}`);
    return;
  }
  if (signal.aborted) {
    yield stopped;
    return;
  }
  try {
    const body = bodyOf(request);
    await request.observe({
      method: "POST",
      url: `${id}:${model}`,
      headers: {},
      body,
      sha256: sha256Hex(body),
      at: clock.now(),
    });
  } catch (error) {
    // Errors of the host keep their code.
    const code = KernelError.is(error) || ServiceError.is(error) ? error.code : "FAILED";
    yield failure(code, error instanceof Error ? error.message : String(error));
    return;
  }
  yield { type: "text-start", partId };
  for (const text of describe(request)) {
    if (signal.aborted) {
      yield stopped;
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

function failure(code: string, message: string): ModelEvent {
  return { type: "failure", error: { code, message, isRetryable: false } };
}

/**
 * In prefix order: without its closing `]}` it is a byte prefix of the conversation's next request. Keys are named
 * explicitly, so that stored parts serialize as before.
 */
function bodyOf({ model, tools, systemPrompt, messages }: ModelRequest): string {
  return JSON.stringify({
    model,
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    system: systemPrompt,
    messages: messages.map(({ role, parts }) => ({ role, parts: parts.map(written) })),
  });
}

function written(part: MessagePart): MessagePart {
  const { type } = part;
  switch (type) {
    case "text":
    case "reasoning":
      return { type, text: part.text };
    case "tool-call":
      return { type, toolCallId: part.toolCallId, name: part.name, input: part.input };
    case "tool-result": {
      const { toolCallId, name, output, isError } = part;
      return { type, toolCallId, name, output, isError };
    }
    case "file": {
      const { mediaType, data, filename } = part;
      return { type, mediaType, data, ...(filename === undefined ? {} : { filename }) };
    }
  }
}

function describe({ systemPrompt, tools, messages }: ModelRequest): readonly string[] {
  const system = systemPrompt.join("\n\n");
  const prompt =
    systemPrompt.length === 0
      ? "System prompt: none was sent.\n"
      : `System prompt: ${Buffer.byteLength(system)} bytes, SHA-256 ${sha256Hex(system)}.\nIts first line: ${system.split("\n", 1)[0] ?? ""}\n`;
  const names = tools.map((tool) => tool.name);
  return [
    "I am the offline model: I can only say what I was told.\n",
    prompt,
    `Tools: ${names.length === 0 ? "none" : names.join(", ")}.\n`,
    `Messages: ${messages.length}.\n`,
    ...lastUserParts(messages).flatMap((part) => (part.type === "file" ? [describeFile(part)] : [])),
    `You said: ${lastUserParts(messages)
      .flatMap((part) => (part.type === "text" ? [part.text] : []))
      .join("")}`,
  ];
}

function lastUserParts(messages: readonly ModelMessage[]): readonly MessagePart[] {
  return messages.findLast((message) => message.role === "user")?.parts ?? [];
}

function describeFile({ filename, mediaType, data }: FilePart): string {
  const bytes = Buffer.from(data, "base64");
  const name = filename === undefined ? "A file" : `The file ${filename}`;
  return `${name}: ${mediaType}, ${bytes.byteLength} bytes, SHA-256 ${sha256Hex(bytes)}.\n`;
}
