import type { Environment, Net } from "@incipit/kernel";
import { withFields, type JsonObject, type ModelFacts } from "@incipit/schema";
import type { ModelEvent, ModelFailure, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { configuredModel } from "./configured-model.ts";
import { readCredentials } from "./credentials.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointVendor } from "./endpoint-vendor.ts";
import { embedCall } from "./embed-call.ts";
import { modelFacts } from "./model-facts.ts";
import { SentTools } from "./sent-tools.ts";
import { vendorName } from "./vendor-name.ts";

export interface EndpointOptions {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly net: Net;
  readonly env: Environment;
}

export interface CallAddress {
  readonly baseUrl: string;
  readonly key: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly facts: (model: string) => Promise<ModelFacts | undefined>;
}

export interface EndpointProviderOptions extends EndpointOptions {
  readonly vendor: EndpointVendor;
  /** Ends with a final event and never throws. */
  readonly call: (request: ModelRequest, address: CallAddress) => AsyncIterable<ModelEvent>;
}

export function createEndpointProvider({
  id,
  vendor,
  endpoint,
  net,
  env,
  call,
}: EndpointProviderOptions): ModelProvider {
  const credentials = { provider: id, endpoint, vendor, env };
  const facts = (model: string): Promise<ModelFacts | undefined> => modelFacts({ model, endpoint, vendor });
  const { embeddings: format } = vendor;
  const sentTools = new SentTools(vendor);
  const name = vendorName(endpoint.baseUrl ?? vendor.url, vendor.name);
  return {
    id,
    ...(name === undefined ? {} : { vendor: name }),
    models: [...new Set([...Object.keys(endpoint.models ?? {}), ...(vendor.models ?? [])])],
    get problem() {
      const read = readCredentials(credentials);
      return read.kind === "missing" ? read.problem : null;
    },
    contextWindow: async (model) => (await facts(model))?.contextWindow ?? undefined,
    facts,
    acceptsFile: (options) => vendor.acceptsFile(options),
    acceptsToolFile: (options) => vendor.acceptsToolFile?.(options) === true,
    takesField: ({ field, isOfEmbeddings }) =>
      (isOfEmbeddings === true ? format : vendor)?.takesField?.(field) === true,
    refusesTool: (options) => vendor.refusesTool?.(options),
    takesLookedUpTools: (options) => vendor.takesLookedUpTools?.(options),
    ...(format === undefined
      ? {}
      : {
          async embed(request) {
            const read = readCredentials({ ...credentials, model: request.model });
            if (read.kind === "missing") return { kind: "failed", error: notConfigured(id, read.problem) };
            return embedCall(request, { id, net, vendor, format, ...read });
          },
        }),
    stream(request) {
      const read = readCredentials({ ...credentials, model: request.model });
      if (read.kind === "missing") return failedStream(notConfigured(id, read.problem));
      const { baseUrl, key, headers } = read;
      return call(withExtraBody(sentTools.of(request), { endpoint, vendor }), { baseUrl, key, headers, facts });
    },
  };
}

/** Fields of the endpoint, the model, and the caller, in ascending precedence. */
function withExtraBody(
  request: ModelRequest,
  { endpoint, vendor }: Pick<EndpointProviderOptions, "endpoint" | "vendor">,
): ModelRequest {
  const { settings = {}, model } = request;
  // A repeated call may originate from another vendor.
  const taken = Object.entries(settings.vendorFields ?? {}).filter(
    ([field]) => vendor.takesField?.(field) === true,
  );
  const asked: JsonObject = Object.fromEntries(taken);
  const written = [
    endpoint.extraBody,
    configuredModel(endpoint, model)?.extraBody,
    vendor.toBody?.(asked) ?? asked,
  ];
  const vendorFields = written.reduce<JsonObject>((under, fields = {}) => withFields(under, fields), {});
  if (Object.keys(vendorFields).length === 0 && settings.vendorFields === undefined) return request;
  return { ...request, settings: { ...settings, vendorFields } };
}

function notConfigured(id: string, problem: string): ModelFailure {
  return { code: "NOT_CONFIGURED", message: `Cannot call "${id}": ${problem}`, isRetryable: false };
}

async function* failedStream(error: ModelFailure): AsyncGenerator<ModelEvent> {
  yield { type: "failure", error };
}
