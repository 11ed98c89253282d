import type { EmbeddingCall, EmbeddingCallRequest } from "@incipit/service-contract";
import { callIdHeader, openAiErrorOfFailure, routes, type EmbeddingsRequest } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { openAiErrorResponse } from "../answer/openai-errors.ts";
import { otherFields } from "./vendor-fields.ts";

export function toEmbeddingCall(body: EmbeddingsRequest): EmbeddingCallRequest {
  const { model, input, encoding_format: encodingFormat, dimensions } = body;
  const others = otherFields(body, routes.createEmbeddings.body.shape);
  return {
    model,
    input,
    ...(encodingFormat == null ? {} : { encodingFormat }),
    ...(dimensions == null ? {} : { dimensions }),
    ...(others.length === 0 ? {} : { vendorFields: Object.fromEntries(others) }),
  };
}

export function embeddingsAnswer({ callId, model, reply }: EmbeddingCall): Response {
  const response = reply.kind === "failed" ? refusal(reply) : embedded(model, reply);
  response.headers.set(callIdHeader, callId);
  return response;
}

function embedded(
  model: string,
  { vectors, inputTokens }: Extract<EmbeddingCall["reply"], { kind: "embedded" }>,
): Response {
  const usage = inputTokens === null ? {} : { usage: { prompt_tokens: inputTokens, total_tokens: inputTokens } };
  const data = vectors.map((embedding, index) => ({ object: "embedding" as const, index, embedding }));
  return answer(routes.createEmbeddings, { object: "list", data, model, ...usage });
}

function refusal({
  error: { code, message, retryAfterMs },
}: Extract<EmbeddingCall["reply"], { kind: "failed" }>): Response {
  const response = openAiErrorResponse(openAiErrorOfFailure(code, message));
  if (retryAfterMs !== undefined) response.headers.set("retry-after", String(Math.ceil(retryAfterMs / 1_000)));
  return response;
}
