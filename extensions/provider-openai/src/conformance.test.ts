import { modelProvidersPoint } from "@incipit/service-contract";
import {
  providerConformance,
  providerQuirks,
  startExtension,
  type ProviderConformanceOptions,
} from "@incipit/testkit";
import extension from "./extension.ts";

const apis = [
  { label: "openai", endpoint: { kind: "openai" }, wire: "openai-responses" },
  { label: "openai, chat", endpoint: { kind: "openai", api: "chat" }, wire: "openai-chat" },
  { label: "openai-compatible", endpoint: { kind: "openai-compatible" }, wire: "openai-chat" },
  { label: "deepseek", endpoint: { kind: "deepseek" }, wire: "deepseek" },
] as const;

for (const { label, endpoint: said, wire } of apis) {
  const options = {
    model: "test-model",
    wire,
    async open({ server, scope }: Parameters<ProviderConformanceOptions["open"]>[0]) {
      const endpoint = { ...said, base_url: server.urlOf(wire), api_key_env: "TEST_KEY" };
      const started = await startExtension(extension, {
        config: { providers: { local: endpoint } },
        env: { TEST_KEY: "sk-test-0123456789" },
        net: server,
      });
      return scope.use(started).contribution(modelProvidersPoint);
    },
  };
  providerConformance(label, options);
  providerQuirks(label, options);
}
