import { allowedToolsSchema, clientNameSchema } from "@incipit/schema";
import { isAbsolute } from "node:path";
import * as z from "zod";

const cwdRule = "must be an absolute path";

/** Settings of conversations and approvals, for a channel or one of its chats. */
export function chatKeys(personKey: z.ZodType<string, string | number>) {
  return {
    /** Who may approve tool calls; defaults to everyone with access. */
    approvers: z.array(personKey).exactOptional(),
    /** Settings of new conversations; default to the host's. */
    model: clientNameSchema.exactOptional(),
    profile: clientNameSchema.exactOptional(),
    cwd: z.string().refine(isAbsolute, cwdRule).exactOptional(),
    /** Allowed tools; absent: all. */
    tools: allowedToolsSchema.exactOptional(),
  };
}

/** `[channels.NAME.chats.ID]`: overrides for one person, group or thread. */
export function chatsKey(chatId: z.ZodType<string, string>, personKey: z.ZodType<string, string | number>) {
  return z.record(chatId, z.strictObject(chatKeys(personKey))).prefault({});
}
