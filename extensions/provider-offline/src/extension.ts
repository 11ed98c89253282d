import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import * as z from "zod";
import { createOfflineProvider } from "./offline-provider.ts";

const settingsSchema = z.strictObject({
  /** Names before the slash under which it is offered. */
  names: z.array(z.string().min(1)).default(["offline"]),
});

const extension: Extension = defineExtension(
  {
    id: "provider-offline",
    version: "0.1.0",
    api: "^1",
    contributes: ["model-providers@1"],
  },
  (host) => {
    for (const name of host.config(settingsSchema).names) {
      host.contribute(modelProvidersPoint, createOfflineProvider(name, host.clock));
    }
  },
);

export default extension;
