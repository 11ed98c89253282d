import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

export const configuration = defineConfiguration({
  facts: () => ({
    folder: z.string().exactOptional(),
  }),
});
