import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { settingsSchema } from "./settings.ts";

const extension: Extension = defineExtension(
  {
    id: "provider-openai",
    version: "0.1.0",
    api: "^1",
    // All of both: the operator's configuration names the endpoints and the variables, and the host grants just those.
    capabilities: { net: true, env: true },
    contributes: ["model-providers@1"],
  },
  async (host) => {
    const { net, env } = host;
    const endpoints = Object.entries(host.config(settingsSchema).providers);
    if (endpoints.length === 0) return; // A host without them starts without what is known of their models.
    const { createOpenaiProvider } = await import("./openai-provider.ts");
    for (const [id, endpoint] of endpoints)
      host.contribute(modelProvidersPoint, createOpenaiProvider({ id, endpoint, net, env }));
  },
);

export default extension;
