import { modelProvidersPoint } from "@incipit/service-contract";
import {
  providerConformance,
  providerQuirks,
  startExtension,
  type ProviderConformanceOptions,
} from "@incipit/testkit";
import extension from "./extension.ts";

const options = {
  wire: "anthropic" as const,
  async open({ server, scope }: Parameters<ProviderConformanceOptions["open"]>[0]) {
    const endpoint = { kind: "anthropic", base_url: server.urlOf("anthropic"), api_key_env: "TEST_KEY" };
    const started = await startExtension(extension, {
      config: { providers: { local: endpoint } },
      env: { TEST_KEY: "sk-ant-test-0123456789" },
      net: server,
    });
    return scope.use(started).contribution(modelProvidersPoint);
  },
};

providerConformance("anthropic", { ...options, model: "claude-sonnet-4-5" });
providerQuirks("anthropic", { ...options, model: "claude-sonnet-4-5" });
providerConformance("anthropic with a model that nobody knows", {
  ...options,
  model: "claude-test",
  lacks: {
    "stream writes what a caller asks of one call, where the format has a place for it":
      "the package takes it for one of the newest, which refuse a temperature",
  },
});
