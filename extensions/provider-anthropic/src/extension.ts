import { createAiSdkProvider, endpointShape } from "@incipit/ai-sdk-provider";
import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import * as z from "zod";
import { anthropicVendor } from "./anthropic-vendor.ts";

const settingsSchema = z.strictObject({
  /** By the name before the slash in `model`. */
  providers: z.record(z.string(), z.strictObject(endpointShape)).default({}),
});

const extension: Extension = defineExtension(
  {
    id: "provider-anthropic",
    version: "0.1.0",
    api: "^1",
    // All of both: the operator's configuration names the endpoints and the variables, and the host grants just those.
    capabilities: { net: true, env: true },
    contributes: ["model-providers@1"],
  },
  (host) => {
    for (const [id, endpoint] of Object.entries(host.config(settingsSchema).providers)) {
      const { net, env } = host;
      host.contribute(
        modelProvidersPoint,
        createAiSdkProvider({ id, vendor: anthropicVendor, endpoint, net, env }),
      );
    }
  },
);

export default extension;
