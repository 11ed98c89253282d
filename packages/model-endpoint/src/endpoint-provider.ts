import type { Environment, Net } from "@incipit/kernel";
import type { ModelFacts } from "@incipit/schema";
import type { ModelEvent, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { readCredentials } from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointVendor } from "./endpoint-vendor.ts";
import { modelFacts } from "./model-facts.ts";

export interface EndpointOptions {
  /** The name before the slash. */
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly net: Net;
  readonly env: Environment;
}

/** Where a call goes, and with what. */
export interface CallAddress {
  readonly baseUrl: string;
  /** Absent: no key is sent. */
  readonly key: string | undefined;
  readonly facts: (model: string) => Promise<ModelFacts | undefined>;
}

export interface EndpointProviderOptions extends EndpointOptions {
  readonly vendor: EndpointVendor;
  /** One request of one model; the last event is its end, and it does not throw. */
  readonly call: (request: ModelRequest, address: CallAddress) => AsyncIterable<ModelEvent>;
}

/** One configured endpoint of a vendor: its models, what is known of them, and calls with the key that there is at that moment. */
export function createEndpointProvider({
  id,
  vendor,
  endpoint,
  env,
  call,
}: EndpointProviderOptions): ModelProvider {
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
    stream(request) {
      const read = readCredentials(credentials);
      if (read.kind === "missing") return notConfigured(`Cannot call "${id}": ${read.problem}`);
      return call(request, { baseUrl: read.baseUrl, key: read.key, facts });
    },
  };
}

async function* notConfigured(message: string): AsyncGenerator<ModelEvent> {
  yield { type: "failure", error: { code: "NOT_CONFIGURED", message, isRetryable: false } };
}
