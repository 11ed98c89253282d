import { ServiceError, type ModelCallRequest } from "@incipit/service-contract";
import {
  routes,
  type ChatModel,
  openAiErrorOf,
  openAiErrorOfFailure,
  type OpenAiError,
  type ChatCompletionRequest,
} from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import type { Handlers } from "../request/route-call.ts";
import { modelIds } from "../models/model-list.ts";
import { modelProblem } from "../models/model-problem.ts";
import { need, type Services } from "../context/services.ts";
import { answerCall, type CallHead, type CallProtocol, type ReplyWriter } from "../calls/answer-call.ts";
import { answerOptions, clientCall, defaultModelName } from "../calls/client-call.ts";
import { embeddingsAnswer, toEmbeddingCall } from "./embeddings.ts";
import { ChatReply, eventOf, type ChatCompletionChunk } from "@incipit/wire";
import { openAiErrorResponse } from "../answer/openai-errors.ts";
import { toHistory } from "./history.ts";
import { invalidField } from "../calls/invalid-field.ts";
import { toSettings, toTools } from "./model-settings.ts";

export function chatHandlers(services: Services) {
  const { providers } = services;
  const usable = (): readonly string[] => [
    defaultModelName,
    ...modelIds(services).filter((id) => modelProblem(providers, id) === null),
  ];
  return {
    createChatCompletion: async (call) => {
      const calls = need(services.calls, "session orchestrator");
      const body = await call.body();
      return answerCall(calls, toModelCallRequest(body), {
        protocol: chatProtocol({ hasUsage: body.stream_options?.include_usage === true }),
        ...answerOptions(call, body, services),
      });
    },
    createEmbeddings: async (call) => {
      const calls = need(services.calls, "session orchestrator");
      const body = await call.body();
      const called = await calls.embed(toEmbeddingCall(body), {
        signal: call.signal,
      });
      return embeddingsAnswer(called);
    },
    listChatModels: (call) => call.answer({ object: "list", data: usable().map(toChatModel) }),
    getChatModel: (call) => {
      const id = call.param("id");
      const problem = id === defaultModelName ? null : modelProblem(providers, id);
      if (problem === null) return call.answer(toChatModel(id));
      throw new ServiceError("MODEL_UNKNOWN", `Unknown model "${id}": ${problem}; GET /v1/models lists the models`);
    },
  } satisfies Partial<Handlers>;
}

function toChatModel(id: string): ChatModel {
  const owner = id === defaultModelName ? "incipit" : id.slice(0, id.indexOf("/"));
  return { id, object: "model", created: 0, owned_by: owner };
}

type ChatEvent = ChatCompletionChunk | { readonly error: OpenAiError } | "[DONE]";

/** `hasUsage`: a stream ends with its usage. */
function chatProtocol({ hasUsage }: { readonly hasUsage: boolean }): CallProtocol<ChatEvent> {
  return {
    idHeaders: [],
    writer: (head) => chatWriter(head, hasUsage),
    encode: (event) => eventOf(event === "[DONE]" ? event : JSON.stringify(event)),
    refusal: ({ code, message }) => openAiErrorResponse(openAiErrorOfFailure(code, message)),
  };
}

function chatWriter({ callId, model, created }: CallHead, hasUsage: boolean): ReplyWriter<ChatEvent> {
  const reply = new ChatReply({ id: `chatcmpl-${callId}`, created, model });
  const withUsage = (chunk: ChatCompletionChunk): ChatCompletionChunk =>
    hasUsage ? { ...chunk, usage: chunk.usage ?? null } : chunk;
  return {
    begin: () => [withUsage(reply.chunk({ role: "assistant", content: "" }))],
    take(said) {
      const delta = reply.take(said);
      return delta === undefined ? [] : [withUsage(reply.chunk(delta))];
    },
    end: (finish) => [...reply.lastChunks(finish, { hasUsage }).map(withUsage), "[DONE]"],
    failed: ({ code, message }) => [{ error: openAiErrorOfFailure(code, message).error }],
    notAnyMore: (message) => [{ error: openAiErrorOf("UNAUTHORIZED", message).error }],
    whole: (finish) => answer(routes.createChatCompletion, reply.completion(finish)),
  };
}

export function toModelCallRequest(request: ChatCompletionRequest): ModelCallRequest {
  const { system, messages } = toHistory(request.messages ?? []);
  const said = request.prompt ?? undefined;
  if (said === undefined && messages.length === 0) {
    const rule = `must have a message of the user${system.length === 0 ? "" : " besides the system messages"}, or there must be a \`prompt\``;
    throw invalidField("messages", rule);
  }
  const tools = toTools(request);
  return clientCall(request, {
    system,
    messages:
      said === undefined
        ? messages
        : [...messages, { role: "user", parts: [{ type: "text", text: said.toWellFormed() }] }],
    tools,
    settings: toSettings(request, tools),
  });
}
