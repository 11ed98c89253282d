import type { FinishReason } from "@incipit/schema";
import type { AskedModel, EmbeddingWork, ModelCallWork, Work } from "@incipit/service-contract";
import type { Attributes } from "@opentelemetry/api";

/**
 * https://github.com/open-telemetry/semantic-conventions/tree/v1.41.0/docs/gen-ai (in development there). Unknown
 * values are omitted.
 */
export function modelCallAttributes(work: ModelCallWork): Attributes {
  const { conversationId, usage, finishReason, response, settings, firstEventAtMs, startedAtMs } = work;
  const topK = settings.vendorFields?.["top_k"];
  return known({
    ...operationAttributes(work),
    "gen_ai.conversation.id": conversationId,
    "gen_ai.request.stream": work.serverUrl === null ? null : true, // Every request to a provider is streamed.
    "gen_ai.output.type": settings.responseFormat === undefined ? null : "json",
    "gen_ai.response.id": response.id,
    "gen_ai.response.finish_reasons": finishReason === null ? null : [finishReasonName(finishReason)],
    "gen_ai.response.time_to_first_chunk": firstEventAtMs === null ? null : (firstEventAtMs - startedAtMs) / 1_000,
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": usage?.reasoningTokens,
    "gen_ai.request.temperature": settings.temperature,
    "gen_ai.request.top_p": settings.topP,
    "gen_ai.request.top_k": typeof topK === "number" ? topK : null,
    "gen_ai.request.max_tokens": settings.maxOutputTokens,
    "gen_ai.request.seed": settings.seed,
    "gen_ai.request.presence_penalty": settings.presencePenalty,
    "gen_ai.request.frequency_penalty": settings.frequencyPenalty,
    "gen_ai.request.stop_sequences": settings.stopSequences === undefined ? null : [...settings.stopSequences],
    "incipit.provider": work.provider,
    "incipit.call.id": work.callId,
    "incipit.call.purpose": work.purpose,
    "incipit.call.attempts": work.attempts,
  });
}

export function embeddingAttributes(work: EmbeddingWork): Attributes {
  const { dimensions, encodingFormat, inputTokens, provider, callId, attempts } = work;
  return known({
    ...operationAttributes(work),
    "gen_ai.embeddings.dimension.count": dimensions,
    "gen_ai.request.encoding_formats": encodingFormat === null ? null : [encodingFormat],
    "gen_ai.usage.input_tokens": inputTokens,
    "incipit.provider": provider,
    "incipit.call.id": callId,
    "incipit.call.attempts": attempts,
  });
}

export function operationAttributes(work: Work): Attributes {
  const { error } = work;
  const failed = { "error.type": error?.code };
  switch (work.type) {
    case "turn":
      return known({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": work.asked === null ? unknownProvider : providerName(work.asked),
        "gen_ai.request.model": work.asked?.model,
        "gen_ai.agent.name": agentName(work),
        ...failed,
      });
    case "tool-call":
      return known({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.provider.name": providerName(work.calledBy),
        "gen_ai.tool.name": work.name,
        ...failed,
      });
    case "model-call":
      return known({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": providerName(work),
        "gen_ai.request.model": work.model,
        "gen_ai.response.model": work.response.model,
        ...serverAttributes(work),
        ...failed,
      });
    case "embeddings":
      return known({
        "gen_ai.operation.name": "embeddings",
        "gen_ai.provider.name": providerName(work),
        "gen_ai.request.model": work.model,
        "gen_ai.response.model": work.responseModel,
        ...serverAttributes(work),
        ...failed,
      });
  }
}

function serverAttributes({ serverUrl }: Pick<ModelCallWork, "serverUrl">): Attributes {
  if (serverUrl === null) return {};
  const { hostname, port, protocol } = new URL(serverUrl);
  const ofProtocol = protocol === "https:" ? 443 : 80;
  return { "server.address": hostname, "server.port": port === "" ? ofProtocol : Number(port) };
}

const unknownProvider = "_OTHER";

function providerName({ vendor, provider }: AskedModel): string {
  return vendor ?? provider;
}

/** https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-output-messages.json */
export function finishReasonName(reason: FinishReason): string {
  switch (reason) {
    case "tool-calls":
      return "tool_call";
    case "content-filter":
      return "content_filter";
    default:
      return reason;
  }
}

export function agentName({ profile }: { readonly profile: string | null }): string {
  return profile ?? "default";
}

export function known(
  attributes: Readonly<Record<string, string | number | boolean | string[] | null | undefined>>,
): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value] as const],
    ),
  );
}
