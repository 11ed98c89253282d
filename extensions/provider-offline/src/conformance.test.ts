import { modelProvidersPoint } from "@incipit/service-contract";
import { providerConformance, startExtension } from "@incipit/testkit";
import extension from "./extension.ts";

providerConformance("offline", {
  model: "echo",
  wire: "none",
  lacks: {
    "stream writes no system field when there is no system text": 'its record says "system":[]; nothing is sent',
  },
  async open({ scope }) {
    return scope.use(await startExtension(extension)).contribution(modelProvidersPoint);
  },
});
