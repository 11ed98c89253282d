import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

/** System texts of one call. They are sent as they are: they are no templates. */
export const systemTextsSchema = lazySchema(() =>
  z.union([z.string(), z.array(z.string()).max(1_000)], {
    error: "must be a string, or a list of up to 1,000 strings",
  }),
);

/** `append`: behind the base instead of in its place. */
export const systemModeSchema = z.enum(["replace", "append"]);
