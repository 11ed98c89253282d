import { defineConfiguration } from "@incipit/kernel";
import {
  allowedToolsSchema,
  conversationIdSchema,
  clientNameSchema,
  isTimeZone,
  maxTokensPerDaySchema,
  maxUsdPerDaySchema,
  notifiedChatSchema,
} from "@incipit/schema";
import * as z from "zod";

const everyRule = 'must be a number with m or h, from "1m" to "24h", such as "30m"';
const hoursRule = 'must be two times of day, such as ["08:00", "22:00"]; the second one may be on the next day';
const zoneRule = 'must be a time zone, such as "Europe/Berlin" or "UTC"';
const fileRule = "must be a path below the working folder, without .., such as HEARTBEAT.md";
const toolsRule =
  "is for conversations that the heartbeat makes: a conversation that exists already has tools of its own";
const conversationRule = 'must be "own", "daily", "fresh" or the id of a conversation';

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;
const minuteMs = 60_000;

export const configuration = defineConfiguration({
  tables: () => ({
    heartbeat: {
      enabled: z.boolean().default(false),
      every: z
        .string()
        .refine((text) => intervalMs(text) !== undefined, everyRule)
        .default("30m"),
      active_hours: z
        .array(z.string().regex(timeOfDay, hoursRule))
        .refine((times) => times.length === 2 && times[0] !== times[1], hoursRule)
        .exactOptional(),
      time_zone: z.string().refine(isTimeZone, zoneRule).exactOptional(),
      conversation: z
        .union([z.enum(["own", "daily", "fresh"]), conversationIdSchema], conversationRule)
        .default("daily"),
      tell: notifiedChatSchema.exactOptional(),
      model: clientNameSchema.exactOptional(),
      profile: clientNameSchema.exactOptional(),
      tools: allowedToolsSchema.exactOptional(),
      file: z
        .string()
        .refine((path) => path !== "" && !path.startsWith("/") && !path.split("/").includes(".."), fileRule)
        .default("HEARTBEAT.md"),
      /** Input and output tokens, after which no model is woken. */
      max_tokens_per_day: maxTokensPerDaySchema.exactOptional(),
      max_usd_per_day: maxUsdPerDaySchema.exactOptional(),
    },
    gateway_prompts: {
      /** Defaults to `heartbeat.enabled`. */
      heartbeat: z.boolean().exactOptional(),
    },
  }),
  whole: ["heartbeat"],
  problems({ heartbeat: { tools, conversation } }) {
    const isMade = ["own", "daily", "fresh"].includes(conversation);
    return tools === undefined || isMade ? [] : [{ path: ["heartbeat", "tools"], message: toolsRule }];
  },
  wishes({ heartbeat: { enabled, every, file } }, { quote }) {
    if (!enabled) return [];
    const sentence = `wakes a model every ${every} by itself, and gives it what ${quote(file)} says`;
    return [{ path: ["heartbeat"], sentence, tells: ["enabled", "every", "file"] }];
  },
});

export function intervalMs(every: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,4})([mh])$/.exec(every) ?? [];
  const ms = Number(count) * (unit === "h" ? 60 * minuteMs : minuteMs);
  return count !== "" && ms >= minuteMs && ms <= 1_440 * minuteMs ? ms : undefined;
}
