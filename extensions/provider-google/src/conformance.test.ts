import { modelProvidersPoint } from "@incipit/service-contract";
import {
  providerConformance,
  providerQuirks,
  startExtension,
  type ProviderConformanceOptions,
} from "@incipit/testkit";
import extension from "./extension.ts";

for (const model of ["gemini-2.5-flash", "gemini-3-pro-preview", "gemma-3-27b-it"]) {
  const options = {
    model,
    wire: "gemini" as const,
    async open({ server, scope }: Parameters<ProviderConformanceOptions["open"]>[0]) {
      const started = await startExtension(extension, {
        config: {
          providers: { local: { kind: "google", base_url: server.urlOf("gemini"), api_key_env: "TEST_KEY" } },
        },
        env: { TEST_KEY: "AIza-test-0123456789" },
        net: server,
      });
      return scope.use(started).contribution(modelProvidersPoint);
    },
  };
  providerConformance(`google with ${model}`, options);
  if (model === "gemini-2.5-flash") providerQuirks("google", options);
}
