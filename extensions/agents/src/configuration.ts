import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

export const configuration = defineConfiguration({
  facts: () => ({
    /** The user's configuration folder, absolute; absent: none. */
    folder: z.string().exactOptional(),
  }),
});
