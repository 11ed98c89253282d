import * as z from "zod";

const rule = 'must be a channel and the id of a chat on it, such as "telegram:123456789"';

/** A chat that receives notifications of autonomous runs: `CHANNEL:CHAT`. */
export const notifiedChatSchema = z.string().regex(/^[a-z][a-z0-9_-]{0,62}:\S{1,256}$/, rule);
