import type { Environment, Net } from "@incipit/kernel";
import { withFields, type JsonObject, type ModelFacts } from "@incipit/schema";
import type { ModelEvent, ModelFailure, ModelProvider, ModelRequest } from "@incipit/service-contract";
import { configuredModel, type Endpoint } from "../vendor/endpoint.ts";
import { readCredentials } from "../keys/credentials.ts";
import type { EndpointVendor } from "../vendor/endpoint-vendor.ts";
import { embedCall } from "./embed-call.ts";
import { SentTools } from "../tools/sent-tools.ts";

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

interface ModelFactsOptions {
  readonly model: string;
  readonly endpoint: Endpoint;
  readonly vendor: Pick<EndpointVendor, "facts" | "acceptsFile">;
}

const configured = "the configuration";

export async function modelFacts({ model, endpoint, vendor }: ModelFactsOptions): Promise<ModelFacts | undefined> {
  const known = await vendor.facts?.(model);
  const said = configuredModel(endpoint, model);
  const contextWindow = said?.contextWindow ?? endpoint.contextWindow;
  const says = [contextWindow, said?.maxOutputTokens, said?.prices, said?.reasoningEfforts].some(
    (value) => value !== undefined,
  );
  if (!says) return known;
  const takes = (mediaType: string): boolean => vendor.acceptsFile({ model, mediaType });
  const efforts = said?.reasoningEfforts ?? known?.reasoningEfforts;
  return {
    ...(efforts === undefined ? {} : { reasoningEfforts: [...efforts] }),
    contextWindow: contextWindow ?? known?.contextWindow ?? null,
    maxOutputTokens: said?.maxOutputTokens ?? known?.maxOutputTokens ?? null,
    prices: said?.prices ?? known?.prices ?? null,
    inputs: known?.inputs ?? [
      "text",
      ...(takes("image/png") ? (["image"] as const) : []),
      ...(takes("application/pdf") ? (["pdf"] as const) : []),
    ],
    source: known === undefined ? configured : `${configured}, and ${known.source}`,
  };
}

/** Names from https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/registry/attributes/gen-ai.md */
const byHost: readonly (readonly [RegExp, string])[] = [
  [/^api\.openai\.com$/, "openai"],
  [/\.openai\.azure\.com$/, "azure.ai.openai"],
  [/\.services\.ai\.azure\.com$/, "azure.ai.inference"],
  [/^api\.anthropic\.com$/, "anthropic"],
  [/^generativelanguage\.googleapis\.com$/, "gcp.gemini"],
  [/(?:^|[-.])aiplatform\.googleapis\.com$/, "gcp.vertex_ai"],
  [/^bedrock[-a-z]*\..*\.amazonaws\.com$/, "aws.bedrock"],
  [/^api\.deepseek\.com$/, "deepseek"],
  [/^api\.groq\.com$/, "groq"],
  [/^api\.mistral\.ai$/, "mistral_ai"],
  [/^api\.x\.ai$/, "x_ai"],
  [/^api\.perplexity\.ai$/, "perplexity"],
  [/^api\.cohere\.(?:com|ai)$/, "cohere"],
  [/\.ml\.cloud\.ibm\.com$/, "ibm.watsonx.ai"],
];

/** Falls back to the name of the protocol's vendor. */
export function vendorName(url: string | undefined, spoken: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return spoken;
  const { hostname } = new URL(url);
  return byHost.find(([host]) => host.test(hostname))?.[1] ?? spoken;
}
