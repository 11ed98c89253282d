import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

export const configuration = defineConfiguration({
  facts: () => ({
    /** The folder of the user's configuration; absolute. Absent: there is none. */
    folder: z.string().exactOptional(),
  }),
});
