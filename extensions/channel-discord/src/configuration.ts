import { chatKeys, chatsKey } from "@incipit/common/channels";
import { defineConfiguration, proxyKey, urlKey, variableKey } from "@incipit/kernel";
import * as z from "zod";

const rootRule = 'must be an http or https URL without a name and a password, such as "http://127.0.0.1:8081"';
const personRule =
  'must be a user id in quotes, such as "80351110224678912"; send the bot a message to learn yours';
const groupRule =
  'must be a server id, or a server id and a channel id, such as "197038439483310086/199737254929760256": the end of the channel\'s link';
const chatRule =
  'must be a user id, or a server id with channel and thread, such as "197038439483310086/199737254929760256"';

export const publicRoot = "https://discord.com";
/** Discord's gateways, whose hosts change, and its CDN. */
const otherHosts = ["https://*.discord.gg", "https://cdn.discordapp.com", "https://media.discordapp.net"];

/** Strings only: snowflakes exceed the safe integer range. */
const personKey = z.string(personRule).regex(/^[1-9]\d{0,19}$/, personRule);
const groupKey = z.string(groupRule).regex(/^[1-9]\d{0,19}(?:\/[1-9]\d{0,19})?$/, groupRule);

export const configuration = defineConfiguration({
  tables: () => ({
    channels: {
      discord: z
        .strictObject({
          enabled: z.boolean().default(false),
          token_env: variableKey().default("DISCORD_BOT_TOKEN"),
          api_root: urlKey(rootRule).exactOptional(),
          proxy: proxyKey().exactOptional(),
          people: z.array(personKey).default([]),
          groups: z.array(groupKey).default([]),
          ...chatKeys(personKey),
          chats: chatsKey(z.string().regex(/^[1-9]\d{0,19}(?:\/[1-9]\d{0,19}){0,2}$/, chatRule), personKey),
        })
        .prefault({}),
    },
  }),
  whole: ["channels.discord"],
  needs({ channels: { discord } }) {
    const { enabled, api_root: root, token_env: name, proxy } = discord;
    if (!enabled) return { endpoints: [], variables: [] };
    const path = ["channels", "discord"];
    const own = { path, url: root ?? publicRoot, isOperators: root !== undefined, proxy };
    const others = root === undefined ? otherHosts : [];
    return {
      endpoints: [
        { ...own, variables: [{ name, holds: "key" }] },
        ...others.map((url) => ({ path, url, isOperators: false, proxy, variables: [] })),
      ],
    };
  },
  wishes({ channels: { discord } }, { quote, sending }) {
    const { enabled, api_root: root = publicRoot, token_env: name } = discord;
    if (!enabled) return [];
    const sentence = `lets Discord users talk to models of this host, over ${quote(root)}${sending([name])}`;
    return [{ path: ["channels", "discord"], sentence, tells: ["enabled", "api_root", "token_env"] }];
  },
});
