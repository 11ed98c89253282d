import { channelNeeds, channelTable, channelWishes } from "@incipit/common/channels";
import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

const personRule = 'must be a user id, such as "123456789"; send the bot a message to learn yours';
const groupRule = 'must be a group id, such as "-1001234567890"';
const chatRule = `must be a user id or a group id, optionally with a topic, such as "-1001234567890/7"`;

export const publicRoot = "https://api.telegram.org";
const service = { id: "telegram", name: "Telegram", publicRoot } as const;

/** Accepts numbers and strings: people copy ids from Telegram. */
function idKey(pattern: RegExp, rule: string) {
  return z
    .union([z.string(), z.int()], rule)
    .transform(String)
    .refine((id) => pattern.test(id), rule);
}

export const configuration = defineConfiguration({
  tables: () => ({
    channels: {
      telegram: channelTable({
        tokenVariable: "TELEGRAM_BOT_TOKEN",
        person: idKey(/^[1-9]\d*$/, personRule),
        group: idKey(/^-[1-9]\d*$/, groupRule),
        chat: z.string().regex(/^-?[1-9]\d*(?:\/[1-9]\d*)?$/, chatRule),
      }),
    },
  }),
  whole: ["channels.telegram"],
  needs: ({ channels: { telegram } }) => channelNeeds(telegram, service),
  wishes: ({ channels: { telegram } }, words) => channelWishes(telegram, service, words),
});
