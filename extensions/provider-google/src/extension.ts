import { defineExtension, type Extension } from "@incipit/kernel";
import { toEndpoint } from "@incipit/provider-kit";
import { modelProvidersPoint } from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "provider-google",
    version: "0.1.0",
    api: "^1",
    // The host grants only what the operator's configuration names.
    capabilities: { net: true, env: true },
    contributes: ["model-providers@1"],
    kinds: { providers: ["google"] },
  },
  { configuration },
  async (host, { providers }) => {
    const { net, env } = host;
    const endpoints = Object.entries(providers);
    if (endpoints.length === 0) return; // Skips loading the model catalogue.
    const [{ createAiSdkProvider }, { googleVendor: vendor }] = await Promise.all([
      import("@incipit/provider-kit/ai-sdk"),
      import("./google-vendor.ts"),
    ]);
    for (const [id, written] of endpoints) {
      const endpoint = toEndpoint(written);
      host.contribute(modelProvidersPoint, createAiSdkProvider({ id, vendor, endpoint, net, env }));
    }
  },
);

export default extension;
