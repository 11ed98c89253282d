import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

export const configuration = defineConfiguration({
  facts: () => ({
    /** Absolute; absent: none. */
    folder: z.string().exactOptional(),
  }),
});
