import { channelNeeds, channelTable, channelWishes } from "@incipit/common/channels";
import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

const personRule =
  'must be a user id in quotes, such as "80351110224678912"; send the bot a message to learn yours';
const groupRule =
  'must be a server id, or a server id and a channel id, such as "197038439483310086/199737254929760256": the end of the channel\'s link';
const chatRule =
  'must be a user id, or a server id with channel and thread, such as "197038439483310086/199737254929760256"';

export const publicRoot = "https://discord.com";
const service = {
  id: "discord",
  name: "Discord",
  publicRoot,
  // Discord's gateways, whose hosts change, and its CDN.
  otherHosts: ["https://*.discord.gg", "https://cdn.discordapp.com", "https://media.discordapp.net"],
} as const;

export const configuration = defineConfiguration({
  tables: () => ({
    channels: {
      discord: channelTable({
        tokenVariable: "DISCORD_BOT_TOKEN",
        // Strings only: snowflakes exceed the safe integer range.
        person: z.string(personRule).regex(/^[1-9]\d{0,19}$/, personRule),
        group: z.string(groupRule).regex(/^[1-9]\d{0,19}(?:\/[1-9]\d{0,19})?$/, groupRule),
        chat: z.string().regex(/^[1-9]\d{0,19}(?:\/[1-9]\d{0,19}){0,2}$/, chatRule),
      }),
    },
  }),
  whole: ["channels.discord"],
  needs: ({ channels: { discord } }) => channelNeeds(discord, service),
  wishes: ({ channels: { discord } }, words) => channelWishes(discord, service, words),
});
