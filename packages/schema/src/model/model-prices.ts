import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const priceListSchema = lazySchema(() =>
  z.object({
    /** US dollars per million input tokens. */
    input: z.number(),
    /** US dollars per million output tokens. */
    output: z.number(),
    /** US dollars per million input tokens read from the vendor's cache; `null` if unknown. */
    cacheRead: z.number().nullable(),
    /** US dollars per million input tokens written to the vendor's cache; `null` if unknown. */
    cacheWrite: z.number().nullable(),
  }),
);

/** List prices in US dollars per million tokens, without batch and off-peak discounts; `null` if unknown. */
export const modelPricesSchema = lazySchema(() =>
  priceListSchema.extend({
    /** Prices of the whole call if its input exceeds `aboveTokens`. */
    longInput: priceListSchema
      .extend({
        /** Input tokens above which these prices apply. */
        aboveTokens: z.int().positive(),
      })
      .exactOptional(),
  }),
);
export type ModelPrices = z.infer<typeof modelPricesSchema>;
