type Environment = Readonly<Record<string, string | undefined>>;

/** Works without configuration. */
export interface KnownProvider {
  /** The part before the slash. */
  readonly name: string;
  readonly title: string;
  readonly kind: "anthropic" | "openai" | "google" | "deepseek" | "openai-compatible";
  readonly url?: string;
  /** From the provider's documentation, the usual one first; empty: no key needed. */
  readonly keyVariables: readonly string[];
  /** Where to get a key, or the program. */
  readonly page: string;
  /** The provider's own address variable, and its conversion to `base_url`. */
  readonly address?: { readonly variable: string; readonly toUrl: (value: string) => string };
  /** Without the prefix; absent when it depends on the user. */
  readonly model?: string;
  readonly start?: string;
}

/** From the providers' documentation, as of 2026-11-27. */
export const knownVendors: readonly KnownProvider[] = [
  {
    name: "anthropic",
    title: "Anthropic",
    kind: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    page: "https://platform.claude.com/settings/keys",
    address: { variable: "ANTHROPIC_BASE_URL", toUrl: (value) => withVersion(value, "v1") },
    model: "claude-sonnet-5",
  },
  {
    name: "openai",
    title: "OpenAI",
    kind: "openai",
    keyVariables: ["OPENAI_API_KEY"],
    page: "https://platform.openai.com/api-keys",
    address: { variable: "OPENAI_BASE_URL", toUrl: (value) => value },
    model: "gpt-5.4-mini",
  },
  {
    name: "google",
    title: "Google (Gemini)",
    kind: "google",
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    page: "https://aistudio.google.com/apikey",
    address: { variable: "GOOGLE_GEMINI_BASE_URL", toUrl: (value) => withVersion(value, "v1beta") },
    model: "gemini-flash-latest",
  },
  {
    name: "deepseek",
    title: "DeepSeek",
    kind: "deepseek",
    keyVariables: ["DEEPSEEK_API_KEY"],
    page: "https://platform.deepseek.com/api_keys",
    model: "deepseek-flash",
  },
  compatible("openrouter", {
    title: "OpenRouter",
    url: "https://openrouter.ai/api/v1",
    page: "https://openrouter.ai/settings/keys",
  }),
  compatible("groq", {
    title: "Groq",
    url: "https://api.groq.com/openai/v1",
    page: "https://console.groq.com/keys",
  }),
  compatible("mistral", {
    title: "Mistral",
    url: "https://api.mistral.ai/v1",
    page: "https://console.mistral.ai/api-keys",
  }),
  compatible("xai", { title: "xAI", url: "https://api.x.ai/v1", page: "https://console.x.ai" }),
  compatible("together", {
    title: "Together AI",
    url: "https://api.together.ai/v1",
    page: "https://api.together.ai/settings/api-keys",
  }),
  compatible("fireworks", {
    title: "Fireworks AI",
    url: "https://api.fireworks.ai/inference/v1",
    page: "https://fireworks.ai/account/api-keys",
  }),
  {
    name: "ollama",
    title: "Ollama, on this machine",
    kind: "openai-compatible",
    url: "http://127.0.0.1:11434/v1",
    keyVariables: [],
    page: "https://ollama.com/download",
    address: { variable: "OLLAMA_HOST", toUrl: ollamaUrl },
    start: "ollama serve",
  },
  {
    name: "lmstudio",
    title: "LM Studio, on this machine",
    kind: "openai-compatible",
    url: "http://127.0.0.1:1234/v1",
    keyVariables: [],
    page: "https://lmstudio.ai/download",
    start: "lms server start",
  },
  {
    name: "llamacpp",
    title: "llama.cpp, on this machine",
    kind: "openai-compatible",
    url: "http://127.0.0.1:8080/v1",
    keyVariables: [],
    page: "https://github.com/ggml-org/llama.cpp",
    start: "llama-server -m FILE.gguf",
  },
];

export function vendorOf(model: string): KnownProvider | undefined {
  const [name] = model.split("/", 1);
  return knownVendors.find((vendor) => vendor.name === name);
}

export function setKeyOf({ keyVariables }: KnownProvider, env: Environment): string | undefined {
  return keyVariables.find((variable) => (env[variable] ?? "").trim() !== "");
}

export interface OfferedVendor {
  readonly vendor: KnownProvider;
  readonly variable: string;
}

export function vendorsWithKey(env: Environment): readonly OfferedVendor[] {
  return knownVendors.flatMap((vendor) => {
    const variable = setKeyOf(vendor, env);
    return variable === undefined ? [] : [{ vendor, variable }];
  });
}

export function vendorTable(
  vendor: KnownProvider,
  env: Environment,
): readonly { readonly key: string; readonly value: string; readonly variable?: string }[] {
  const variable = setKeyOf(vendor, env);
  const [usual] = vendor.keyVariables;
  const key = variable ?? usual;
  const from = variable === undefined ? {} : { variable };
  const address = vendor.address === undefined ? "" : (env[vendor.address.variable] ?? "").trim();
  const isOwnKey = vendor.kind === "openai-compatible" || key !== usual;
  return [
    { key: "kind", value: vendor.kind, ...from },
    ...(vendor.address !== undefined && address !== ""
      ? [{ key: "base_url", value: vendor.address.toUrl(address), variable: vendor.address.variable }]
      : vendor.url === undefined
        ? []
        : [{ key: "base_url", value: vendor.url }]),
    ...(key === undefined || !isOwnKey ? [] : [{ key: "api_key_env", value: key, ...from }]),
  ];
}

function compatible(
  name: string,
  words: { readonly title: string; readonly url: string; readonly page: string },
): KnownProvider {
  return { name, kind: "openai-compatible", keyVariables: [`${name.toUpperCase()}_API_KEY`], ...words };
}

/** Appends the API version to an address, as the provider's own programs do. */
function withVersion(value: string, version: string): string {
  const address = value.replace(/\/+$/, "");
  return /\/v\d+[a-z]*$/.test(address) ? address : `${address}/${version}`;
}

/**
 * As Ollama parses it: scheme and port are optional, and a wildcard address means this machine.
 * https://github.com/ollama/ollama/blob/main/envconfig/config.go
 */
function ollamaUrl(value: string): string {
  const [, scheme = "http", rest = ""] = /^(?:(https?):\/\/)?(.*)$/.exec(value) ?? [];
  const usual = !value.includes("://") ? "11434" : scheme === "https" ? "443" : "80";
  const [authority = ""] = rest.split("/", 1);
  const isBareV6 = /^[^[\]]*:[^[\]]*:/.test(authority);
  const [, named = "", port = usual] = isBareV6
    ? [authority, `[${authority}]`]
    : (/^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(authority) ?? []);
  const host = named === "" || named === "0.0.0.0" || named === "[::]" ? "127.0.0.1" : named;
  return `${scheme}://${host}:${port}/v1`;
}
