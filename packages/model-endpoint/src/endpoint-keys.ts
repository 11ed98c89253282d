import { proxyKey, urlKey, type NeededEndpoint, type Needs } from "@incipit/kernel";
import * as z from "zod";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointVendor } from "./endpoint-vendor.ts";

const urlRule =
  'must be an http or https URL with its version and without a key, such as "http://127.0.0.1:11434/v1"';
const windowRule = "must be a whole number of tokens";
const priceRule = "must be US dollars for a million tokens";

/** Keys of `[providers.NAME]` that every vendor's endpoints have. */
export function endpointKeys() {
  const price = z.number(priceRule).min(0, priceRule);
  const tokens = z.int(windowRule).min(1, windowRule);
  const model = z.strictObject({
    context_window: tokens.exactOptional(),
    max_output_tokens: tokens.exactOptional(),
    prices: z
      .strictObject({
        input: price,
        output: price,
        cache_read: price.exactOptional(),
        cache_write: price.exactOptional(),
      })
      .exactOptional(),
  });
  return {
    base_url: urlKey(urlRule).exactOptional(),
    // Capitals only, so that a key that was written here by mistake is refused, and not shown as a name.
    api_key_env: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/, "must be the name of a variable in capitals, never the key itself")
      .exactOptional(),
    proxy: proxyKey().exactOptional(),
    context_window: tokens.exactOptional(),
    models: z.record(z.string().regex(/^\S+$/, "must be the name behind the slash"), model).exactOptional(),
  };
}

/** As the operator writes it. */
export type WrittenEndpoint = z.output<z.ZodObject<ReturnType<typeof endpointKeys>, z.core.$strict>>;

export function toEndpoint({
  base_url: baseUrl,
  api_key_env: apiKeyEnv,
  context_window: contextWindow,
  models = {},
}: WrittenEndpoint): Endpoint {
  return { baseUrl, apiKeyEnv, contextWindow, models: Object.fromEntries(Object.entries(models).map(toModel)) };
}

function toModel([name, written]: [string, NonNullable<WrittenEndpoint["models"]>[string]]): [
  string,
  NonNullable<Endpoint["models"]>[string],
] {
  const { context_window: contextWindow, max_output_tokens: maxOutputTokens, prices } = written;
  if (prices === undefined) return [name, { contextWindow, maxOutputTokens }];
  const { input, output, cache_read: cacheRead = null, cache_write: cacheWrite = null } = prices;
  return [name, { contextWindow, maxOutputTokens, prices: { input, output, cacheRead, cacheWrite } }];
}

/** The endpoints and the keys of configured providers, and no others. @param vendorOf By kind. */
export function endpointNeeds<Written extends WrittenEndpoint & { readonly kind: string }>(
  providers: Readonly<Record<string, Written>>,
  vendorOf: (kind: Written["kind"]) => Pick<EndpointVendor, "url" | "keyVariable">,
): Needs {
  const endpoints = Object.entries(providers).flatMap(([name, written]): readonly NeededEndpoint[] => {
    const { kind, base_url: own, api_key_env: named, proxy } = written;
    const vendor = vendorOf(kind);
    const url = own ?? vendor.url;
    if (url === undefined) return [];
    const variable = named ?? vendor.keyVariable;
    const variables = variable === undefined ? [] : [{ name: variable, holds: "key" } as const];
    return [{ path: ["providers", name], url, isOperators: own !== undefined, proxy, variables }];
  });
  return { endpoints };
}
