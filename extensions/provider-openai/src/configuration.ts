import { defineConfiguration } from "@incipit/kernel";
import { endpointKeys, endpointNeeds, toolSearchKey, type Endpoint } from "@incipit/provider-kit";
import { chatFamilyNames, type ChatFamilyName } from "@incipit/schema";
import * as z from "zod";
import type { ChatFamily } from "./chat-family.ts";
import { dialectKeys } from "./dialect-keys.ts";

export const addresses = {
  openai: { url: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  "openai-compatible": {},
  deepseek: { url: "https://api.deepseek.com", keyVariable: "DEEPSEEK_API_KEY" },
} as const;

export interface ConfiguredEndpoint extends Endpoint {
  readonly kind: keyof typeof addresses;
  readonly api?: "responses" | "chat";
  readonly family?: ChatFamilyName | undefined;
  readonly dialect?: ChatFamily | undefined;
  readonly toolSearch?: "vendor" | "host" | undefined;
}

export const configuration = defineConfiguration({
  kinds: () => {
    const keys = endpointKeys();
    return {
      providers: {
        openai: { ...keys, ...toolSearchKey(), api: z.enum(["responses", "chat"]).default("responses") },
        "openai-compatible": {
          ...keys,
          family: z.enum(chatFamilyNames).exactOptional(),
          dialect: dialectKeys().exactOptional(),
        },
        deepseek: keys,
      },
    };
  },
  elsewhere: { api: "which has one API", family: "which is known", dialect: "which is known" },
  needs: ({ providers }) => endpointNeeds(providers, (kind) => addresses[kind]),
  problems: ({ providers }) =>
    Object.entries(providers).flatMap(([name, provider]) => {
      const { kind, base_url: url } = provider;
      if (kind === "openai" && provider.api === "chat" && provider.tool_search === "vendor") {
        const message = 'cannot be "vendor" with api = "chat": that API has no such means; take it out';
        return [{ path: ["providers", name, "tool_search"], message }];
      }
      if (kind !== "openai-compatible" || url !== undefined) return [];
      const message = 'needs "base_url", with its version, such as "http://127.0.0.1:11434/v1"';
      return [{ path: ["providers", name], message }];
    }),
});
