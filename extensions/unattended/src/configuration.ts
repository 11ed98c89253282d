import { defineConfiguration } from "@incipit/kernel";
import { isTimeZone, maxTokensPerDaySchema, maxUsdPerDaySchema } from "@incipit/schema";
import * as z from "zod";

const zoneRule = 'must be a time zone, such as "Europe/Berlin" or "UTC"';

export const configuration = defineConfiguration({
  tables: () => ({
    unattended: {
      /** US dollars of all calls of a day that no person has asked for; absent: no bound. */
      max_usd_per_day: maxUsdPerDaySchema.exactOptional(),
      /** Their input and output tokens; absent: no bound. */
      max_tokens_per_day: maxTokensPerDaySchema.exactOptional(),
      /** Where its days begin; absent: the machine's. */
      time_zone: z.string().refine(isTimeZone, zoneRule).exactOptional(),
    },
  }),
  whole: ["unattended"],
});
