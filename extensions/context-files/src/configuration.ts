import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

export const configuration = defineConfiguration({
  facts: () => ({
    /** Folder of `incipit.toml`, existing or not, absolute; absent: none. */
    user_folder: z.string().exactOptional(),
  }),
});
