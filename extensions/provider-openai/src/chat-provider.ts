import type { Environment, Net } from "@incipit/kernel";
import type { ModelFacts, ModelProvider } from "@incipit/service-contract";
import { readCredentials } from "./credentials.ts";
import { acceptsFile } from "./model-abilities.ts";
import { KeptModels } from "./kept-models.ts";
import { SentMessages } from "./sent-messages.ts";
import type { Endpoint } from "./settings.ts";

export interface ChatProviderOptions {
  /** The name before the slash. */
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly net: Net;
  readonly env: Environment;
}

const unsupported = 'the Responses API is not supported yet: set api = "chat"';

/** One configured endpoint that speaks OpenAI's chat protocol. */
export function createChatProvider({ id, endpoint, net, env }: ChatProviderOptions): ModelProvider {
  const sentMessages = new SentMessages();
  const models = new KeptModels({ provider: id, endpoint });
  const credentials = { provider: id, endpoint, env };
  const facts = async (model: string): Promise<ModelFacts | undefined> => {
    const said = new Map(Object.entries(endpoint.models ?? {})).get(model);
    const contextWindow = said?.contextWindow ?? endpoint.contextWindow ?? null;
    if (said === undefined && contextWindow === null) return undefined;
    return {
      contextWindow,
      maxOutputTokens: said?.maxOutputTokens ?? null,
      prices: said?.prices ?? null,
      inputs: ["text"],
      source: "the configuration",
    };
  };
  return {
    id,
    models: Object.keys(endpoint.models ?? {}),
    get problem() {
      const read = readCredentials(credentials);
      if (read.kind === "missing") return read.problem;
      return endpoint.api === "responses" ? unsupported : null;
    },
    contextWindow: async (model) => (await facts(model))?.contextWindow ?? undefined,
    facts,
    acceptsFile: ({ model, mediaType }) => acceptsFile({ kind: endpoint.kind, model }, mediaType),
    async *stream(request) {
      const read = readCredentials(credentials);
      if (read.kind === "missing") {
        const message = `Cannot call "${id}": ${read.problem}`;
        yield { type: "failure", error: { code: "NOT_CONFIGURED", message, isRetryable: false } };
        return;
      }
      if (endpoint.api === "responses") {
        const message = `Cannot call "${id}": ${unsupported}`;
        yield { type: "failure", error: { code: "NOT_CONFIGURED", message, isRetryable: false } };
        return;
      }
      // Loaded by the first call: a host is ready without the vendors' packages.
      const { chatCall } = await import("./chat-call.ts");
      yield* chatCall(request, { id, endpoint, net, key: read.key, sentMessages, models });
    },
  };
}
