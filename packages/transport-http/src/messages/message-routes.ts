import {
  type AnthropicTold,
  anthropicErrorOfFailure,
  type AnthropicMessageRequest,
} from "@incipit/transport-contract";
import { answerCall, type CallProtocol } from "../calls/answer-call.ts";
import { need, type Services } from "../context/services.ts";
import type { Handlers } from "../request/route-call.ts";
import type { MessagePart } from "@incipit/schema";
import type { ClientHistory } from "../calls/call-history.ts";
import { toMessageHistory } from "./message-history.ts";
import { toMessageTools, toMessageSettings } from "./message-settings.ts";
import { anthropicErrorResponse } from "../answer/anthropic-errors.ts";
import { MessageWriter, type MessageEvent } from "./message-writer.ts";
import type { ModelCallRequest } from "@incipit/service-contract";
import { answerOptions, clientCall } from "../calls/client-call.ts";

export function messageHandlers(services: Services) {
  return {
    createMessage: async (call) => {
      const calls = need(services.calls, "session orchestrator");
      const body = await call.body();
      return answerCall(calls, toMessageCall(body), {
        protocol: messageProtocol,
        ...answerOptions(call, body, services),
      });
    },
    countMessageTokens: async (call) => {
      const body = await call.body();
      return call.answer({ input_tokens: estimateInputTokens(body) });
    },
  } satisfies Partial<Handlers>;
}

/** The host's general estimate; no encoding fits all vendors. */
const bytesPerToken = 4;
/** Typical size of a page or image, according to vendors. */
const fileTokens = 1_600;

/** Calls no vendor. */
function estimateInputTokens(request: AnthropicTold): number {
  const history = toMessageHistory(request.messages);
  const parts = history.messages.flatMap((message) => message.parts);
  const tools = toMessageTools(request);
  const texts = [
    ...systemTextsOf(request, history),
    ...(tools.length === 0 ? [] : [JSON.stringify(tools)]),
    ...parts.flatMap(textsOf),
  ];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const files = parts.filter(({ type }) => type === "file").length;
  return Math.ceil(bytes / bytesPerToken) + files * fileTokens;
}

function textsOf(part: MessagePart): readonly string[] {
  switch (part.type) {
    case "text":
    case "reasoning":
      return [part.text];
    case "tool-call":
      return [part.name, part.input];
    case "tool-result":
      return [part.output];
    case "file":
      return [];
  }
}

const messageProtocol: CallProtocol<MessageEvent> = {
  idHeaders: ["request-id"],
  writer: (head) => new MessageWriter(head),
  encode: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  refusal: ({ code, message }, callId) => anthropicErrorResponse(anthropicErrorOfFailure(code, message, callId)),
};

function toMessageCall(request: AnthropicMessageRequest): ModelCallRequest {
  const tools = toMessageTools(request);
  const history = toMessageHistory(request.messages);
  const system = systemTextsOf(request, history);
  return clientCall(request, {
    system,
    messages: history.messages,
    tools,
    settings: toMessageSettings(request, tools),
  });
}

/** Vendors reject blank texts. */
function systemTextsOf({ system }: AnthropicTold, history: ClientHistory): readonly string[] {
  const own = typeof system === "string" ? [system] : (system ?? []).map(({ text }) => text);
  return [...own, ...history.system].map((text) => text.toWellFormed()).filter((text) => text.trim() !== "");
}
