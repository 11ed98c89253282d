import type { Environment, Net } from "@incipit/kernel";
import type { ModelFacts } from "@incipit/schema";
import type { ModelProvider } from "@incipit/service-contract";
import { readCredentials } from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import { KeptModels } from "./kept-models.ts";
import { modelFacts } from "./model-facts.ts";
import { SentMessages } from "./sent-messages.ts";
import type { Vendor } from "./vendor.ts";

export interface AiSdkProviderOptions {
  /** The name before the slash. */
  readonly id: string;
  readonly vendor: Vendor;
  readonly endpoint: Endpoint;
  readonly net: Net;
  readonly env: Environment;
}

/**
 * One configured endpoint of a vendor that an AI SDK package speaks to.
 *
 * - The request is the package's, written anew so that it is a byte prefix of the next one of its conversation.
 * - It leaves over `net`, with the key that there is at that moment: no package has it.
 * - Whatever goes wrong is a `failure` of one table.
 */
export function createAiSdkProvider({ id, vendor, endpoint, net, env }: AiSdkProviderOptions): ModelProvider {
  const sentMessages = new SentMessages();
  const models = new KeptModels({ provider: id, vendor });
  const credentials = { provider: id, endpoint, vendor, env };
  const facts = (model: string): Promise<ModelFacts | undefined> => modelFacts({ model, endpoint, vendor });
  return {
    id,
    models: [...new Set([...Object.keys(endpoint.models ?? {}), ...(vendor.models ?? [])])],
    get problem() {
      const read = readCredentials(credentials);
      return read.kind === "missing" ? read.problem : null;
    },
    contextWindow: async (model) => (await facts(model))?.contextWindow ?? undefined,
    facts,
    acceptsFile: (options) => vendor.acceptsFile(options),
    async *stream(request) {
      const read = readCredentials(credentials);
      if (read.kind === "missing") {
        const message = `Cannot call "${id}": ${read.problem}`;
        yield { type: "failure", error: { code: "NOT_CONFIGURED", message, isRetryable: false } };
        return;
      }
      // Loaded by the first call: a host is ready without the vendors' packages.
      const { modelCall } = await import("./model-call.ts");
      const { baseUrl, key } = read;
      yield* modelCall(request, { id, vendor, baseUrl, key, net, sentMessages, models, facts });
    },
  };
}
