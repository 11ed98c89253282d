import { anthropicErrorOfFailure } from "@incipit/transport-contract";
import { anthropicErrorResponse } from "../answer/anthropic-errors.ts";
import type { CallProtocol } from "../calls/answer-call.ts";
import { MessageWriter, type MessageEvent } from "./message-writer.ts";

export const messageProtocol: CallProtocol<MessageEvent> = {
  idHeaders: ["request-id"],
  writer: (head) => new MessageWriter(head),
  encode: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  refusal: ({ code, message }, callId) => anthropicErrorResponse(anthropicErrorOfFailure(code, message, callId)),
};
