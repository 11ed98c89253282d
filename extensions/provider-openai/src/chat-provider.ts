import { createDeepSeek } from "@ai-sdk/deepseek";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Environment, Net } from "@incipit/kernel";
import type { ModelEvent, ModelFailure, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { toFailure } from "./failure.ts";
import { toModelEvent } from "./model-events.ts";
import { toPrompt, toTools } from "./prompt.ts";
import type { Endpoint } from "./settings.ts";
import { createWireFetch, type WireFetch } from "./wire-fetch.ts";

export interface ChatProviderOptions {
  /** The name before the slash. */
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly net: Net;
  readonly env: Environment;
}

/** The variable that holds a vendor's key where the configuration names none. */
const usualKeyVariable = {
  openai: "OPENAI_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
  "openai-compatible": undefined,
} as const;

/** One configured endpoint that speaks OpenAI's chat protocol. */
export function createChatProvider(options: ChatProviderOptions): ModelProvider {
  const { id, endpoint, env } = options;
  const keyVariable = endpoint.apiKeyEnv ?? usualKeyVariable[endpoint.kind];
  const readKey = (): string | undefined => (keyVariable === undefined ? undefined : env.get(keyVariable));
  const problemOf = (): string | null => {
    if (endpoint.kind === "openai-compatible" && endpoint.baseUrl === undefined)
      return `set base_url in [providers.${id}]`;
    if (keyVariable !== undefined && (readKey() ?? "") === "")
      return `set the variable ${keyVariable} to the key of "${id}", and start the host again`;
    return null;
  };
  return {
    id,
    models: [],
    get problem() {
      return problemOf();
    },
    stream: (request) => stream(request, options, problemOf(), readKey()),
  };
}

async function* stream(
  request: ModelRequest,
  options: ChatProviderOptions,
  problem: string | null,
  key: string | undefined,
): AsyncGenerator<ModelEvent> {
  const { id, endpoint, net } = options;
  const fail = (error: unknown): ModelEvent => ({
    type: "failure",
    error: toFailure(error, { provider: id, key }),
  });
  if (problem !== null) {
    yield {
      type: "failure",
      error: { code: "NOT_CONFIGURED", message: `Cannot call "${id}": ${problem}`, isRetryable: false },
    };
    return;
  }
  let hasShown = false;
  let observed: unknown;
  try {
    const fetch = createWireFetch(net, endpoint.kind, async (wire) => {
      try {
        await request.observe(wire);
      } catch (error) {
        observed = error;
        throw error;
      }
    });
    const model = createModel(request.model, options, fetch, key);
    const { stream: parts } = await model.doStream({
      prompt: toPrompt(request),
      abortSignal: request.signal,
      ...(request.tools.length === 0 ? {} : { tools: toTools(request.tools) }),
      // Reasoning models would get "developer" here and others "system": one way for all keeps the bytes the same.
      providerOptions: { openai: { systemMessageMode: "system" } },
    });
    for await (const part of parts) {
      if (part.type === "error") {
        yield withoutRetry(
          isCutConnection(part.error) ? { type: "failure", error: cutOff(id, hasShown) } : fail(part.error),
          hasShown,
        );
        return;
      }
      if (part.type === "finish" && isCutOff(part.finishReason)) {
        yield { type: "failure", error: cutOff(id, hasShown) };
        return;
      }
      const event = toModelEvent(part);
      if (event === undefined) continue;
      hasShown = true;
      yield event;
      if (event.type === "finish") return;
    }
    yield { type: "failure", error: cutOff(id, hasShown) };
  } catch (error) {
    if (observed !== undefined) throw observed; // The recorder refused: nothing was sent, and that is the host's own failure.
    yield withoutRetry(
      isCutConnection(error) ? { type: "failure", error: cutOff(id, hasShown) } : fail(error),
      hasShown,
    );
  }
}

function createModel(
  name: string,
  { id, endpoint }: ChatProviderOptions,
  fetch: WireFetch,
  key: string | undefined,
): LanguageModelV4 {
  const shared = {
    fetch: Object.assign(fetch, { preconnect: () => {} }),
    ...(key === undefined ? {} : { apiKey: key }),
  };
  const { baseUrl: baseURL } = endpoint;
  switch (endpoint.kind) {
    case "openai":
      return createOpenAI({ ...shared, ...(baseURL === undefined ? {} : { baseURL }) }).chat(name);
    case "deepseek":
      return createDeepSeek({ ...shared, ...(baseURL === undefined ? {} : { baseURL }) }).chat(name);
    case "openai-compatible":
      return createOpenAICompatible({ ...shared, name: id, baseURL: baseURL ?? "", includeUsage: true }).chatModel(
        name,
      );
  }
}

/** The packages say `interrupted`, or `other` without a vendor's reason, when a stream ends before its end. */
function isCutOff(reason: { readonly unified: string; readonly raw: string | undefined }): boolean {
  return reason.unified === "interrupted" || (reason.unified === "other" && reason.raw === undefined);
}

function isCutConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    /socket|ECONNRESET|closed unexpectedly|\bterminated|without a finish reason/i.test(
      `${error.name} ${error.message}`,
    )
  );
}

function cutOff(provider: string, hasShown: boolean): ModelFailure {
  return { code: "CUT_OFF", message: `"${provider}" stopped in the middle of its reply`, isRetryable: !hasShown };
}

/** What was shown cannot be taken back: a second try would show it twice. */
function withoutRetry(event: ModelEvent, hasShown: boolean): ModelEvent {
  return hasShown && event.type === "failure" ? { ...event, error: { ...event.error, isRetryable: false } } : event;
}
