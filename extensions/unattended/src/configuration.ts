import { defineConfiguration } from "@incipit/kernel";
import { isTimeZone, maxTokensPerDaySchema, maxUsdPerDaySchema } from "@incipit/schema";
import * as z from "zod";

const zoneRule = 'must be a time zone, such as "Europe/Berlin" or "UTC"';

export const configuration = defineConfiguration({
  tables: () => ({
    unattended: {
      max_usd_per_day: maxUsdPerDaySchema.exactOptional(),
      /** Their input and output tokens; absent: unlimited. */
      max_tokens_per_day: maxTokensPerDaySchema.exactOptional(),
      time_zone: z.string().refine(isTimeZone, zoneRule).exactOptional(),
    },
  }),
  whole: ["unattended"],
});
