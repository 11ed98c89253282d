import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** Somebody who may talk to the host on a channel. */
export const channelPersonSchema = lazySchema(() =>
  z.object({
    /** The service's. */
    id: z.string(),
    /** As they call themselves there; `null`: the configuration has the id alone. */
    name: z.string().nullable(),
    /** Who is in the configuration is removed there. */
    source: z.enum(["configuration", "pairing"]),
    pairedAt: timestampSchema.nullable(),
  }),
);
export type ChannelPersonView = z.infer<typeof channelPersonSchema>;

/** Lets in whoever sends it to the channel first. */
export const pairingCodeSchema = lazySchema(() => z.object({ code: z.string(), expiresAt: timestampSchema }));
export type PairingCode = z.infer<typeof pairingCodeSchema>;
