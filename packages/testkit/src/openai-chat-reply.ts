import type { ModelReply } from "./recording-model-server.ts";

type Answer = Exclude<ModelReply, { kind: "never" | "error" }>;

const usage = {
  prompt_tokens: 20,
  completion_tokens: 5,
  total_tokens: 25,
  prompt_tokens_details: { cached_tokens: 8 },
};
const head = { id: "chatcmpl-1", created: 1_700_000_000, model: "test-model" };

/** Server-sent events of a streamed completion: https://platform.openai.com/docs/api-reference/chat-streaming */
export function streamChunks(reply: Answer): readonly string[] {
  const event = (delta: object, finishReason: string | null = null): string =>
    data({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finishReason }] });
  const reasoning = (text: string | undefined): readonly string[] =>
    text === undefined ? [] : [event({ role: "assistant", reasoning_content: text })];
  switch (reply.kind) {
    case "broken-json":
      return ['data: {"id":"chatcmpl-1","choices":[{"del\n\n', "data: [DONE]\n\n"];
    case "cut":
      return reply.chunks.map((content) => event({ role: "assistant", content }));
    case "error-event":
      return [
        ...reply.chunks.map((content) => event({ role: "assistant", content })),
        data({ error: { type: "server_error", ...reply.error } }),
      ];
    case "tool-calls": {
      const calls = reply.calls.flatMap(({ id, name, arguments: input, thoughtSignature }, index) => {
        const [first = "", ...rest] = typeof input === "string" ? [input] : input;
        // https://ai.google.dev/gemini-api/docs/thought-signatures
        const signature =
          thoughtSignature === undefined
            ? {}
            : { extra_content: { google: { thought_signature: thoughtSignature } } };
        const opening = { index, id, type: "function", function: { name, arguments: first }, ...signature };
        return [
          event({ role: "assistant", tool_calls: [opening] }),
          ...rest.map((more) => event({ tool_calls: [{ index, function: { arguments: more } }] })),
        ];
      });
      if (reply.isCut === true) return calls;
      return [
        ...reasoning(reply.reasoning),
        ...calls,
        event({}, "tool_calls"),
        data({ ...head, object: "chat.completion.chunk", choices: [], usage }),
        "data: [DONE]\n\n",
      ];
    }
    case "text":
      return [
        ...reasoning(reply.reasoning),
        ...reply.chunks.map((content) => event({ role: "assistant", content })),
        event({}, "stop"),
        ...(reply.usage === "absent"
          ? []
          : [data({ ...head, object: "chat.completion.chunk", choices: [], usage })]),
        "data: [DONE]\n\n",
      ];
  }
}

export function completionBody(reply: Answer): string {
  if (reply.kind === "error-event") return JSON.stringify({ error: reply.error });
  if (reply.kind === "broken-json") return '{"id":"chatcmpl-1","choices":[{"mess';
  const message =
    reply.kind === "tool-calls"
      ? {
          role: "assistant",
          content: null,
          tool_calls: reply.calls.map(({ id, name, arguments: input }) => ({
            id,
            type: "function",
            function: { name, arguments: typeof input === "string" ? input : input.join("") },
          })),
        }
      : { role: "assistant", content: reply.chunks.join("") };
  const finishReason = reply.kind === "tool-calls" ? "tool_calls" : "stop";
  return JSON.stringify({
    ...head,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage,
  });
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
