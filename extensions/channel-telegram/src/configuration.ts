import { chatKeys, chatsKey } from "@incipit/common/channels";
import { defineConfiguration, proxyKey, urlKey, variableKey } from "@incipit/kernel";
import * as z from "zod";

const rootRule = 'must be an http or https URL without a name and a password, such as "http://127.0.0.1:8081"';
const personRule = 'must be a user id, such as "123456789"; send the bot a message to learn yours';
const groupRule = 'must be a group id, such as "-1001234567890"';
const chatRule = `must be a user id or a group id, optionally with a topic, such as "-1001234567890/7"`;

export const publicRoot = "https://api.telegram.org";

/** Accepts numbers and strings: people copy ids from Telegram. */
function idKey(pattern: RegExp, rule: string) {
  return z
    .union([z.string(), z.int()], rule)
    .transform(String)
    .refine((id) => pattern.test(id), rule);
}

const personKey = idKey(/^[1-9]\d*$/, personRule);
const groupKey = idKey(/^-[1-9]\d*$/, groupRule);

export const configuration = defineConfiguration({
  tables: () => ({
    channels: {
      telegram: z
        .strictObject({
          enabled: z.boolean().default(false),
          token_env: variableKey().default("TELEGRAM_BOT_TOKEN"),
          api_root: urlKey(rootRule).exactOptional(),
          proxy: proxyKey().exactOptional(),
          people: z.array(personKey).default([]),
          groups: z.array(groupKey).default([]),
          ...chatKeys(personKey),
          chats: chatsKey(z.string().regex(/^-?[1-9]\d*(?:\/[1-9]\d*)?$/, chatRule), personKey),
        })
        .prefault({}),
    },
  }),
  whole: ["channels.telegram"],
  needs({ channels: { telegram } }) {
    const { enabled, api_root: root, token_env: name, proxy } = telegram;
    if (!enabled) return { endpoints: [], variables: [] };
    const endpoint = { path: ["channels", "telegram"], url: root ?? publicRoot, isOperators: root !== undefined };
    return { endpoints: [{ ...endpoint, proxy, variables: [{ name, holds: "key" }] }] };
  },
  wishes({ channels: { telegram } }, { quote, sending }) {
    const { enabled, api_root: root = publicRoot, token_env: name } = telegram;
    if (!enabled) return [];
    const sentence = `lets Telegram users talk to models of this host, over ${quote(root)}${sending([name])}`;
    return [{ path: ["channels", "telegram"], sentence, tells: ["enabled", "api_root", "token_env"] }];
  },
});
