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
