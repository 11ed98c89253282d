import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { createAcmeProvider } from "./acme-provider.ts";

const extension: Extension = defineExtension(
  {
    id: "acme.models",
    version: "1.0.0",
    api: "^1",
    // Any host: the operator names the endpoint in ACME_URL, and can grant just that one.
    capabilities: { net: true, env: ["ACME_URL", "ACME_KEY"] },
    contributes: ["model-providers@1"],
  },
  (host) => {
    const url = host.env.get("ACME_URL");
    const key = host.env.get("ACME_KEY");
    host.contribute(modelProvidersPoint, createAcmeProvider({ url, key, net: host.net }));
  },
);

export default extension;
