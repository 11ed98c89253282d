import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** `off`: the channel's extension is not loaded. `down`: reconnecting. */
const channelStateSchema = z.enum(["off", "starting", "up", "down"]);

/** A connection to a messaging service. */
export const channelSchema = lazySchema(() =>
  z.object({
    /** Id of the channel, such as `telegram`. */
    id: z.string(),
    state: channelStateSchema,
    /** Error while down. */
    why: z.string().nullable(),
    /** Time of the last state change. */
    since: timestampSchema,
    /** Account that users write to, such as a bot's name; `null` if unknown. */
    account: z.string().nullable(),
    /** Queued messages. */
    waiting: z.int().nonnegative(),
    /** Messages with unknown delivery state. */
    unknown: z.int().nonnegative(),
    /** Rejected messages that were not retried. */
    failed: z.int().nonnegative(),
  }),
);
export type ChannelView = z.infer<typeof channelSchema>;

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
