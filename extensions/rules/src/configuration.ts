import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

export const configuration = defineConfiguration({
  facts: () => ({
    /** Where the user's `incipit.toml` is, or would be; absolute. Absent: there is no such place. */
    user_folder: z.string().exactOptional(),
  }),
});
