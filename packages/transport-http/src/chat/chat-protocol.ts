import { openAiErrorOf, openAiErrorOfFailure, routes, type OpenAiError } from "@incipit/transport-contract";
import { ChatReply, eventOf, type ChatCompletionChunk } from "@incipit/wire";
import { answer } from "../answer/answer.ts";
import { openAiErrorResponse } from "../answer/openai-errors.ts";
import type { CallHead, CallProtocol, ReplyWriter } from "../calls/answer-call.ts";

type ChatEvent = ChatCompletionChunk | { readonly error: OpenAiError } | "[DONE]";

/** `hasUsage`: a stream ends with its usage. */
export function chatProtocol({ hasUsage }: { readonly hasUsage: boolean }): CallProtocol<ChatEvent> {
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
