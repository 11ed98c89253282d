import { defineConfiguration } from "@incipit/kernel";
import { endpointKeys, endpointNeeds, toolSearchKey } from "@incipit/provider-kit";
import * as z from "zod";

export const address = { url: "https://api.anthropic.com/v1", keyVariable: "ANTHROPIC_API_KEY" } as const;

export const configuration = defineConfiguration({
  kinds: () => ({
    providers: {
      anthropic: { ...endpointKeys(), ...toolSearchKey(), cache_ttl: z.enum(["5m", "1h"]).default("5m") },
    },
  }),
  elsewhere: {
    cache_ttl: "whose vendor decides that itself",
    tool_search: "whose tools are looked up by the host in any case",
  },
  needs: ({ providers }) => endpointNeeds(providers, () => address),
});
