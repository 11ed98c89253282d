import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { answerCall } from "../calls/answer-call.ts";
import { timeoutMsOf } from "../calls/call-timeout.ts";
import { need, type Services } from "../context/services.ts";
import { accessSignal } from "../request/caller.ts";
import type { Handlers } from "../request/handler.ts";
import { readBody } from "../request/read-body.ts";
import { estimateInputTokens } from "./estimate-input-tokens.ts";
import { toMessageCall } from "./message-call-request.ts";
import { messageProtocol } from "./message-protocol.ts";

type MessageRoute = "createMessage" | "countMessageTokens";

export function messageHandlers(services: Services): Handlers<MessageRoute> {
  const { clock } = services;
  return {
    createMessage: async (context, signal) => {
      const calls = need(services.calls, "session orchestrator");
      const body = await readBody(context.req.raw, routes.createMessage.body, { clock, signal });
      return answerCall(calls, toMessageCall(body), {
        protocol: messageProtocol,
        isStreamed: body.stream === true,
        timeoutMs: timeoutMsOf(body),
        services,
        over: accessSignal(context.get("caller")),
        signal: AbortSignal.any([signal, context.req.raw.signal]),
      });
    },
    countMessageTokens: async (context, signal) => {
      const body = await readBody(context.req.raw, routes.countMessageTokens.body, { clock, signal });
      return answer(routes.countMessageTokens, { input_tokens: estimateInputTokens(body) });
    },
  };
}
