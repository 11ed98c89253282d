import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const priceListSchema = lazySchema(() =>
  z.object({
    input: z.number(),
    output: z.number(),
    /** Input read from, and written to, the vendor's cache. */
    cacheRead: z.number().nullable(),
    cacheWrite: z.number().nullable(),
  }),
);

/** List prices in US dollars per million tokens, without batch and off-peak discounts; `null` if unknown. */
export const modelPricesSchema = lazySchema(() =>
  priceListSchema.extend({
    /** Prices of the whole call if its input exceeds `aboveTokens`. */
    longInput: priceListSchema.extend({ aboveTokens: z.int().positive() }).exactOptional(),
  }),
);
export type ModelPrices = z.infer<typeof modelPricesSchema>;
