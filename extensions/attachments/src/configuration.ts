import { defineConfiguration } from "@incipit/kernel";
import * as z from "zod";

const bytesRule = "must be a number of bytes from 1 to 67108864";
const fileBytes = () => z.int(bytesRule).min(1, bytesRule).max(67_108_864, bytesRule);

export const configuration = defineConfiguration({
  tables: () => ({
    gateway_prompts: {
      /** Defaults to on while a channel is registered. */
      media: z.boolean().exactOptional(),
    },
  }),
  settings: () => ({
    max_sent_bytes: fileBytes().default(52_428_800),
    max_received_bytes: fileBytes().default(20_971_520),
  }),
  reserves: () => [{ point: "tools@1", name: "send_file", whose: "a tool of the host's own" }],
});
