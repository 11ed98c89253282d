import { allowedToolsSchema, givenNameSchema } from "@incipit/schema";
import { isAbsolute } from "node:path";
import * as z from "zod";

const cwdRule = "must be an absolute path";

/** The keys of what conversations begin with, and who answers their questions: of a channel, and of one of its chats. */
export function chatKeys(personKey: z.ZodType<string, string | number>) {
  return {
    /** Who may answer what waits for approval; absent: whoever may talk. */
    approvers: z.array(personKey).exactOptional(),
    /** What conversations begin with; absent: the host's own. */
    model: givenNameSchema.exactOptional(),
    profile: givenNameSchema.exactOptional(),
    cwd: z.string().refine(isAbsolute, cwdRule).exactOptional(),
    /** What they may use; absent: all tools that there are. */
    tools: allowedToolsSchema.exactOptional(),
  };
}

/** `[channels.NAME.chats.ID]`: what is another way for one person, group or thread. */
export function chatsKey(chatId: z.ZodType<string, string>, personKey: z.ZodType<string, string | number>) {
  return z.record(chatId, z.strictObject(chatKeys(personKey))).prefault({});
}
