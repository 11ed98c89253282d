import { modelProvidersPoint } from "@incipit/service-contract";
import { providerConformance, startExtension } from "@incipit/testkit";
import extension from "./extension.ts";

for (const kind of ["openai", "openai-compatible", "deepseek"] as const) {
  providerConformance(kind, {
    model: "test-model",
    wire: kind === "deepseek" ? "deepseek" : "openai-chat",
    async open({ server, scope }) {
      const endpoint = { kind, baseUrl: server.url, apiKeyEnv: "TEST_KEY" };
      const started = await startExtension(extension, {
        config: { providers: { local: endpoint } },
        env: { TEST_KEY: "sk-test-0123456789" },
        net: server,
      });
      return scope.use(started).contribution(modelProvidersPoint);
    },
  });
}
