import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

export const configuration = defineConfiguration({
  facts: () => ({
    /** Absolute path of the data file. */
    path: z.string().startsWith("/"),
  }),
});
