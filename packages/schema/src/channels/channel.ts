import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { timestampSchema } from "../values/timestamp.ts";

/** `off`: what connects it is not loaded. `down`: the host tries to come back. */
const channelStateSchema = z.enum(["off", "starting", "up", "down"]);

/** A service on which people write to the host. */
export const channelSchema = lazySchema(() =>
  z.object({
    /** Such as `telegram`. */
    id: z.string(),
    state: channelStateSchema,
    /** Why it is down. */
    why: z.string().nullable(),
    /** Since when it is as it is. */
    since: timestampSchema,
    /** Whom people write to, such as the name of a bot; `null`: not known yet. */
    account: z.string().nullable(),
    /** Messages that are to be sent. */
    waiting: z.int().nonnegative(),
    /** Messages of which nobody knows whether they came. */
    unknown: z.int().nonnegative(),
    /** Messages that the service did not take, and that nobody has sent again. */
    failed: z.int().nonnegative(),
  }),
);
export type ChannelView = z.infer<typeof channelSchema>;
