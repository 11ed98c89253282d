import {
  anthropicErrorOf,
  anthropicErrorOfFailure,
  type AnthropicErrorResponse,
  type AnthropicStreamEvent,
} from "@incipit/transport-contract";
import { anthropicErrorResponse } from "../answer/anthropic-errors.ts";
import type { CallProtocol } from "../calls/answer-call.ts";
import { MessageWriter } from "./message-writer.ts";

/** Anthropic's messages. */
export const messageProtocol: CallProtocol<AnthropicStreamEvent | AnthropicErrorResponse> = {
  idHeaders: ["request-id"],
  writer: (head) => new MessageWriter(head),
  encode: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  failed: ({ code, message }, callId) => anthropicErrorOfFailure(code, message, callId).body,
  notAnyMore: (message, callId) => ({ ...anthropicErrorOf("UNAUTHORIZED", message).body, request_id: callId }),
  refusal: ({ code, message }, callId) => anthropicErrorResponse(anthropicErrorOfFailure(code, message, callId)),
};
