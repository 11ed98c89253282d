import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** System messages of one call, sent verbatim; not templates. */
export const systemTextsSchema = lazySchema(() =>
  z.union([z.string(), z.array(z.string()).max(1_000)], {
    error: "must be a string, or a list of up to 1,000 strings",
  }),
);

/** `append`: after the base instead of replacing it. */
export const systemModeSchema = z.enum(["replace", "append"]);
