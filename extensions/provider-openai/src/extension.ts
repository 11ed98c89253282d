import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { toEndpoint } from "@incipit/provider-kit";
import { configuration } from "./configuration.ts";
import { toDialect } from "./dialect-keys.ts";

const extension: Extension = defineExtension(
  {
    id: "provider-openai",
    version: "0.1.0",
    api: "^1",
    // The host grants only what the operator's configuration names.
    capabilities: { net: true, env: true },
    contributes: ["model-providers@1"],
    kinds: { providers: ["openai", "openai-compatible", "deepseek"] },
  },
  { configuration },
  async (host, { providers }) => {
    const { net, env } = host;
    const endpoints = Object.entries(providers);
    if (endpoints.length === 0) return; // Skips loading the model catalogue.
    const { createOpenaiProvider } = await import("./openai-provider.ts");
    for (const [id, written] of endpoints) {
      const { kind } = written;
      const endpoint = {
        ...toEndpoint(written),
        kind,
        ...(kind === "openai-compatible" ? { family: written.family, dialect: toDialect(written.dialect) } : {}),
        ...(kind === "openai" ? { api: written.api, toolSearch: written.tool_search } : {}),
      };
      host.contribute(modelProvidersPoint, createOpenaiProvider({ id, endpoint, net, env }));
    }
  },
);

export default extension;
