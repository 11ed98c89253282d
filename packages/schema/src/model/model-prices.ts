import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const priceListSchema = lazySchema(() =>
  z.object({
    input: z.number(),
    output: z.number(),
    /** Input that the vendor read from its cache, and that it wrote there. */
    cacheRead: z.number().nullable(),
    cacheWrite: z.number().nullable(),
  }),
);

/** US dollars for a million tokens; `null`: not known. List prices: without the discounts of batches and of quiet hours. */
export const modelPricesSchema = lazySchema(() =>
  priceListSchema.extend({
    /** What all of a call costs whose input has more than `aboveTokens`; absent: no more than others. */
    longInput: priceListSchema.extend({ aboveTokens: z.int().positive() }).exactOptional(),
  }),
);
export type ModelPrices = z.infer<typeof modelPricesSchema>;
