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
