import { defineExtension, type Extension } from "@incipit/kernel";
import { toEndpoint, usesVendorsSearch } from "@incipit/provider-kit";
import { modelProvidersPoint } from "@incipit/service-contract";
import { address, configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "provider-anthropic",
    version: "0.1.0",
    api: "^1",
    // The host grants only what the operator's configuration names.
    capabilities: { net: true, env: true },
    contributes: ["model-providers@1"],
    kinds: { providers: ["anthropic"] },
  },
  { configuration },
  async (host, { providers }) => {
    const { net, env } = host;
    const endpoints = Object.entries(providers);
    if (endpoints.length === 0) return; // Skips loading the model catalogue.
    const [{ createAiSdkProvider }, { anthropicVendor }, { hasToolReferences }] = await Promise.all([
      import("@incipit/provider-kit/ai-sdk"),
      import("./anthropic-vendor.ts"),
      import("./tool-references.ts"),
    ]);
    for (const [id, written] of endpoints) {
      const endpoint = toEndpoint(written);
      const configured = written.tool_search;
      const vendor = anthropicVendor({
        cacheTtl: written.cache_ttl,
        usesToolReferences: (model) =>
          usesVendorsSearch({
            configured,
            endpoint,
            vendorUrl: address.url,
            isDocumented: hasToolReferences(model),
          }),
      });
      host.contribute(modelProvidersPoint, createAiSdkProvider({ id, vendor, endpoint, net, env }));
    }
  },
);

export default extension;
