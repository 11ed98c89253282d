import { allowedToolsSchema, clientNameSchema } from "@incipit/schema";
import { isAbsolute } from "node:path";
import * as z from "zod";

const cwdRule = "must be an absolute path";

/** For a channel or one of its chats. */
export function chatKeys(personKey: z.ZodType<string, string | number>) {
  return {
    /** Defaults to everyone with access. */
    approvers: z.array(personKey).exactOptional(),
    /** Default to the host's. */
    model: clientNameSchema.exactOptional(),
    profile: clientNameSchema.exactOptional(),
    cwd: z.string().refine(isAbsolute, cwdRule).exactOptional(),
    /** Allowed tools; absent: all. */
    tools: allowedToolsSchema.exactOptional(),
  };
}

/** `[channels.NAME.chats.ID]` */
export function chatsKey(chatId: z.ZodType<string, string>, personKey: z.ZodType<string, string | number>) {
  return z.record(chatId, z.strictObject(chatKeys(personKey))).prefault({});
}
