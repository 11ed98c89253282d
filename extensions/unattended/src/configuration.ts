import { defineConfiguration } from "@incipit/kernel";
import { isTimeZone, maxTokensPerDaySchema, maxUsdPerDaySchema } from "@incipit/schema";
import * as z from "zod";

const zoneRule = 'must be a time zone, such as "Europe/Berlin" or "UTC"';

export const configuration = defineConfiguration({
  tables: () => ({
    unattended: {
      /** Daily limit of all autonomous calls in US dollars; absent: unlimited. */
      max_usd_per_day: maxUsdPerDaySchema.exactOptional(),
      /** Daily limit of their input and output tokens; absent: unlimited. */
      max_tokens_per_day: maxTokensPerDaySchema.exactOptional(),
      /** Zone of its days; defaults to the machine's. */
      time_zone: z.string().refine(isTimeZone, zoneRule).exactOptional(),
    },
  }),
  whole: ["unattended"],
});
