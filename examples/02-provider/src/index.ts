import { defineExtension, type Extension } from "@incipit/kernel";
import { modelProvidersPoint } from "@incipit/service-contract";
import { createProvider } from "./provider.ts";
import packageJson from "../package.json";

/** The manifest requests any host: the operator names the endpoint in ACME_URL, and can grant only that one. */
const extension: Extension = defineExtension(packageJson, (host) => {
  const url = host.env.get("ACME_URL");
  const key = host.env.get("ACME_KEY");
  host.contribute(modelProvidersPoint, createProvider({ url, key, net: host.net }));
});

export default extension;
