import { defineConfiguration } from "@incipit/kernel";
import { endpointKeys, endpointNeeds } from "@incipit/provider-kit";

export const address = {
  url: "https://generativelanguage.googleapis.com/v1beta",
  keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
} as const;

export const configuration = defineConfiguration({
  kinds: () => ({ providers: { google: endpointKeys() } }),
  needs: ({ providers }) => endpointNeeds(providers, () => address),
});
