import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** An authorized user of a channel. */
export const channelPersonSchema = lazySchema(() =>
  z.object({
    /** Id of the person, assigned by the service. */
    id: z.string(),
    /** Display name on the service; `null` if only the id is configured. */
    name: z.string().nullable(),
    /** Configured people are removed in the configuration. */
    source: z.enum(["configuration", "pairing"]),
    /** Time of pairing; `null` for configured people. */
    pairedAt: timestampSchema.nullable(),
  }),
);
export type ChannelPersonView = z.infer<typeof channelPersonSchema>;

/** Authorizes the first person who sends the code to the channel. */
export const pairingCodeSchema = lazySchema(() =>
  z.object({
    /** Code to send to the channel; case and hyphen are ignored. */
    code: z.string(),
    /** End of its validity. */
    expiresAt: timestampSchema,
  }),
);
export type PairingCode = z.infer<typeof pairingCodeSchema>;
