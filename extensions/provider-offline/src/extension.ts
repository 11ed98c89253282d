import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { configuration, ownName } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "provider-offline",
    version: "0.1.0",
    api: "^1",
    contributes: ["model-providers@1"],
    kinds: { providers: ["offline"] },
  },
  { configuration },
  async (host, { providers }) => {
    const { createOfflineProvider } = await import("./offline-provider.ts");
    for (const name of new Set([ownName, ...Object.keys(providers)]))
      host.contribute(modelProvidersPoint, createOfflineProvider(name, host.clock));
  },
);

export default extension;
