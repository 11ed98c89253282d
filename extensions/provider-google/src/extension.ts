import { createAiSdkProvider } from "@incipit/ai-sdk-provider";
import { defineExtension, type Extension } from "@incipit/kernel";
import { endpointShape } from "@incipit/model-endpoint";
import { modelProvidersPoint } from "@incipit/service-contract";
import * as z from "zod";

const settingsSchema = z.strictObject({
  /** By the name before the slash in `model`. */
  providers: z.record(z.string(), z.strictObject(endpointShape)).default({}),
});

const extension: Extension = defineExtension(
  {
    id: "provider-google",
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
    const { googleVendor: vendor } = await import("./google-vendor.ts");
    for (const [id, endpoint] of endpoints)
      host.contribute(modelProvidersPoint, createAiSdkProvider({ id, vendor, endpoint, net, env }));
  },
);

export default extension;
