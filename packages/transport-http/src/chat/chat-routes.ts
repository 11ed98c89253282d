import { ServiceError } from "@incipit/service-contract";
import { routes, type ChatModel } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { accessSignal } from "../request/caller.ts";
import { param, type Handlers } from "../request/handler.ts";
import { modelIds } from "../models/model-list.ts";
import { modelProblem } from "../models/model-problem.ts";
import { readBody } from "../request/read-body.ts";
import { need, type Services } from "../context/services.ts";
import { answerCall } from "../calls/answer-call.ts";
import { timeoutMsOf } from "../calls/call-timeout.ts";
import { chatProtocol } from "./chat-protocol.ts";
import { defaultModelName } from "../calls/default-model.ts";
import { embeddingsAnswer, toEmbeddingCall } from "./embeddings.ts";
import { toModelCallRequest } from "./model-call-request.ts";

type ChatRoute = "createChatCompletion" | "createEmbeddings" | "listChatModels" | "getChatModel";

export function chatHandlers(services: Services): Handlers<ChatRoute> {
  const { clock, providers } = services;
  const usable = (): readonly string[] => [
    defaultModelName,
    ...modelIds(services).filter((id) => modelProblem(providers, id) === null),
  ];
  return {
    createChatCompletion: async (context, signal) => {
      const calls = need(services.calls, "session orchestrator");
      const body = await readBody(context.req.raw, routes.createChatCompletion.body, { clock, signal });
      return answerCall(calls, toModelCallRequest(body), {
        protocol: chatProtocol({ hasUsage: body.stream_options?.include_usage === true }),
        isStreamed: body.stream === true,
        timeoutMs: timeoutMsOf(body),
        services,
        over: accessSignal(context.get("caller")),
        signal: AbortSignal.any([signal, context.req.raw.signal]),
      });
    },
    createEmbeddings: async (context, signal) => {
      const calls = need(services.calls, "session orchestrator");
      const body = await readBody(context.req.raw, routes.createEmbeddings.body, { clock, signal });
      const called = await calls.embed(toEmbeddingCall(body), {
        signal: AbortSignal.any([signal, context.req.raw.signal]),
      });
      return embeddingsAnswer(called);
    },
    listChatModels: () => answer(routes.listChatModels, { object: "list", data: usable().map(toChatModel) }),
    getChatModel: (context) => {
      const id = param(context, "id");
      const problem = id === defaultModelName ? null : modelProblem(providers, id);
      if (problem === null) return answer(routes.getChatModel, toChatModel(id));
      throw new ServiceError(
        "MODEL_UNKNOWN",
        `There is no model "${id}": ${problem}; GET /v1/models lists the models`,
      );
    },
  };
}

function toChatModel(id: string): ChatModel {
  const owner = id === defaultModelName ? "incipit" : id.slice(0, id.indexOf("/"));
  return { id, object: "model", created: 0, owned_by: owner };
}
