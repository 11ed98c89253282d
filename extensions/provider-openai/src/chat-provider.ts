import type { Environment, Net } from "@incipit/kernel";
import type { ModelProvider } from "@incipit/service-contract";
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

/** One configured endpoint that speaks OpenAI's chat protocol. */
export function createChatProvider({ id, endpoint, net, env }: ChatProviderOptions): ModelProvider {
  const sentMessages = new SentMessages();
  const models = new KeptModels({ provider: id, endpoint });
  const credentials = { provider: id, endpoint, env };
  return {
    id,
    models: [],
    get problem() {
      const read = readCredentials(credentials);
      return read.kind === "missing" ? read.problem : null;
    },
    contextWindow: async () => endpoint.contextWindow,
    acceptsFile: ({ model, mediaType }) => acceptsFile({ kind: endpoint.kind, model }, mediaType),
    async *stream(request) {
      const read = readCredentials(credentials);
      if (read.kind === "missing") {
        const message = `Cannot call "${id}": ${read.problem}`;
        yield { type: "failure", error: { code: "NOT_CONFIGURED", message, isRetryable: false } };
        return;
      }
      // Loaded by the first call: a host is ready without the vendors' packages.
      const { chatCall } = await import("./chat-call.ts");
      yield* chatCall(request, { id, endpoint, net, key: read.key, sentMessages, models });
    },
  };
}
