import { modelProvidersPoint } from "@incipit/service-contract";
import { providerConformance, startExtension } from "@incipit/testkit";
import extension from "./extension.ts";

providerConformance("anthropic", {
  model: "claude-test",
  wire: "anthropic",
  async open({ server, scope }) {
    const endpoint = { baseUrl: server.urlOf("anthropic"), apiKeyEnv: "TEST_KEY" };
    const started = await startExtension(extension, {
      config: { providers: { local: endpoint } },
      env: { TEST_KEY: "sk-ant-test-0123456789" },
      net: server,
    });
    return scope.use(started).contribution(modelProvidersPoint);
  },
});
