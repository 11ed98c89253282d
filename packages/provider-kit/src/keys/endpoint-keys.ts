import { proxyKey, urlKey, type NeededEndpoint, type Needs } from "@incipit/kernel";
import { reasoningEffortSchema } from "@incipit/schema";
import * as z from "zod";
import type { Endpoint } from "../vendor/endpoint.ts";
import type { EndpointVendor } from "../vendor/endpoint-vendor.ts";
import { extraKeys } from "./extra-keys.ts";

const urlRule =
  'must be an http or https URL with its version and without a key, such as "http://127.0.0.1:11434/v1"';
const windowRule = "must be a whole number of tokens";
const priceRule = "must be US dollars for a million tokens";

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
    reasoning_efforts: z.array(reasoningEffortSchema).exactOptional(),
    ...extraKeys(),
  });
  return {
    base_url: urlKey(urlRule).exactOptional(),
    // Upper case only, so that a key entered here by mistake is rejected and not displayed.
    api_key_env: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/, "must be the name of a variable in capitals, never the key itself")
      .exactOptional(),
    proxy: proxyKey().exactOptional(),
    context_window: tokens.exactOptional(),
    ...extraKeys(),
    models: z.record(z.string().regex(/^\S+$/, "must be the name behind the slash"), model).exactOptional(),
  };
}

export type WrittenEndpoint = z.output<z.ZodObject<ReturnType<typeof endpointKeys>, z.core.$strict>>;

export function toEndpoint({
  base_url: baseUrl,
  api_key_env: apiKeyEnv,
  context_window: contextWindow,
  extra_body: extraBody,
  extra_headers: extraHeaders,
  extra_headers_env: extraHeadersEnv,
  models = {},
}: WrittenEndpoint): Endpoint {
  const extra = { extraBody, extraHeaders, extraHeadersEnv };
  return {
    baseUrl,
    apiKeyEnv,
    contextWindow,
    ...extra,
    models: Object.fromEntries(Object.entries(models).map(toModel)),
  };
}

function toModel([name, written]: [string, NonNullable<WrittenEndpoint["models"]>[string]]): [
  string,
  NonNullable<Endpoint["models"]>[string],
] {
  const { context_window: contextWindow, max_output_tokens: maxOutputTokens, prices } = written;
  const known = {
    contextWindow,
    maxOutputTokens,
    reasoningEfforts: written.reasoning_efforts,
    extraBody: written.extra_body,
    extraHeaders: written.extra_headers,
    extraHeadersEnv: written.extra_headers_env,
  };
  if (prices === undefined) return [name, known];
  const { input, output, cache_read: cacheRead = null, cache_write: cacheWrite = null } = prices;
  return [name, { ...known, prices: { input, output, cacheRead, cacheWrite } }];
}

/**
 * Returns the hosts and variables that the configured providers need. `vendorOf` maps a provider's kind to its vendor.
 */
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
    const keys = variable === undefined ? [] : [{ name: variable, holds: "key" } as const];
    const headers = [written, ...Object.values(written.models ?? {})].flatMap((each) =>
      Object.values(each.extra_headers_env ?? {}),
    );
    const variables = [...keys, ...headers.map((name) => ({ name, holds: "secret" }) as const)];
    return [{ path: ["providers", name], url, isOperators: own !== undefined, proxy, variables }];
  });
  return { endpoints };
}
