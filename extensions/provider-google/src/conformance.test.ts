import { modelProvidersPoint } from "@incipit/service-contract";
import { providerConformance, startExtension } from "@incipit/testkit";
import extension from "./extension.ts";

for (const model of ["gemini-2.5-flash", "gemini-3-pro-preview", "gemma-3-27b-it"]) {
  providerConformance(`google with ${model}`, {
    model,
    wire: "gemini",
    async open({ server, scope }) {
      const started = await startExtension(extension, {
        config: {
          providers: { local: { kind: "google", base_url: server.urlOf("gemini"), api_key_env: "TEST_KEY" } },
        },
        env: { TEST_KEY: "AIza-test-0123456789" },
        net: server,
      });
      return scope.use(started).contribution(modelProvidersPoint);
    },
  });
}
