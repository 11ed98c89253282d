import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { createOpenaiProvider } from "./openai-provider.ts";
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
  (host) => {
    for (const [id, endpoint] of Object.entries(host.config(settingsSchema).providers)) {
      host.contribute(modelProvidersPoint, createOpenaiProvider({ id, endpoint, net: host.net, env: host.env }));
    }
  },
);

export default extension;
