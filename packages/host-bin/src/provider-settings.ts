import type { Capabilities, JsonValue } from "@incipit/kernel";
import type { Config, ProviderConfig } from "./config/config-schema.ts";
import { netEntry } from "./net-entry.ts";

type Kind = ProviderConfig["kind"];

interface Vendor {
  /** Id of the extension that talks to it. */
  readonly extension: string;
  /** Its own endpoint; absent: the configuration names one. */
  readonly url?: string;
  /** The variable that holds its key where the configuration names none. */
  readonly keyVariable?: string;
}

/** By kind; `undefined`: no endpoint belongs to it. */
const vendors = {
  openai: { extension: "provider-openai", url: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  "openai-compatible": { extension: "provider-openai" },
  deepseek: { extension: "provider-openai", url: "https://api.deepseek.com", keyVariable: "DEEPSEEK_API_KEY" },
  anthropic: {
    extension: "provider-anthropic",
    url: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
  },
  google: {
    extension: "provider-google",
    url: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
  },
  offline: undefined,
  extension: undefined,
} as const satisfies Record<Kind, Vendor | undefined>;

function vendorOf(kind: Kind): Vendor | undefined {
  return vendors[kind];
}

/** Extensions that talk to endpoints. */
const endpointExtensions = ["provider-openai", "provider-anthropic", "provider-google"] as const;

/** What each extension that talks to endpoints is configured with, by its id. */
export function endpointSettings(config: Config): ReadonlyMap<string, JsonValue> {
  return new Map(
    endpointExtensions.map((extension) => [
      extension,
      {
        providers: Object.fromEntries(
          Object.entries(config.providers).flatMap(([name, provider]) =>
            vendorOf(provider.kind)?.extension === extension ? [[name, endpoint(extension, provider)]] : [],
          ),
        ),
      },
    ]),
  );
}

function endpoint(extension: string, provider: ProviderConfig): JsonValue {
  const {
    kind,
    api,
    cache_ttl: cacheTtl,
    base_url: baseUrl,
    api_key_env: apiKeyEnv,
    context_window: contextWindow,
    models,
  } = provider;
  return {
    // The one extension that talks to several vendors.
    ...(extension === "provider-openai" ? { kind } : {}),
    ...(api === undefined ? {} : { api }),
    ...(cacheTtl === undefined ? {} : { cacheTtl }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(models === undefined ? {} : { models: configuredModels(models) }),
  };
}

function configuredModels(models: NonNullable<ProviderConfig["models"]>): JsonValue {
  return Object.fromEntries(
    Object.entries(models).map(([name, { context_window: contextWindow, max_output_tokens, prices }]) => [
      name,
      {
        ...(contextWindow === undefined ? {} : { contextWindow }),
        ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
        ...(prices === undefined
          ? {}
          : {
              prices: {
                input: prices.input,
                output: prices.output,
                cacheRead: prices.cache_read ?? null,
                cacheWrite: prices.cache_write ?? null,
              },
            }),
      },
    ]),
  );
}

/** Where its requests go; `undefined`: it has no endpoint that the host knows. */
export function endpointUrl({ kind, base_url: baseUrl }: ProviderConfig): string | undefined {
  return baseUrl ?? vendorOf(kind)?.url;
}

/** The extension that talks to it; `undefined`: an added one, or nobody has to. */
export function endpointExtension({ kind }: ProviderConfig): string | undefined {
  return vendorOf(kind)?.extension;
}

/** Names of the variables that the configuration says hold keys. */
export function keyVariables(config: Config): readonly string[] {
  return Object.values(config.providers).flatMap(keyVariable);
}

function keyVariable({ kind, api_key_env: named }: ProviderConfig): readonly string[] {
  const variable = named ?? vendorOf(kind)?.keyVariable;
  return variable === undefined ? [] : [variable];
}

/** Where a provider's calls go, and the variable whose value goes with them; `undefined`: nowhere, or none. */
export function callOf(provider: ProviderConfig): {
  readonly url: string | undefined;
  readonly keyVariable: string | undefined;
} {
  const { base_url: url = vendorOf(provider.kind)?.url } = provider;
  return { url, keyVariable: keyVariable(provider)[0] };
}

/** The endpoints and the keys of its own providers: all that each extension may use. */
export function endpointGrants(config: Config): readonly (readonly [string, Capabilities])[] {
  return endpointExtensions.map((extension) => {
    const providers = Object.values(config.providers).filter(({ kind }) => vendorOf(kind)?.extension === extension);
    const net = providers.flatMap((provider) => {
      const url = endpointUrl(provider);
      return url === undefined ? [] : [netEntry(url, { isOperators: provider.base_url !== undefined })];
    });
    return [extension, { net, env: providers.flatMap(keyVariable) }] as const;
  });
}
