import { defineConfiguration } from "@incipit/kernel";
import { isAbsolute } from "node:path";
import * as z from "zod";

export const configuration = defineConfiguration({
  facts: () => ({
    path: z.string().refine(isAbsolute, "must be the absolute path of a file"),
  }),
});
