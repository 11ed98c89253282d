import * as z from "zod";
import { conversationSchema } from "../conversation/conversation.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { spentSchema } from "./spent.ts";

/** A subtask of a conversation, with its usage. */
export const conversationTaskSchema = lazySchema(() =>
  z.object({
    conversation: conversationSchema,
    /** Usage of its own model calls. */
    spent: spentSchema,
    /** Usage of all subtasks below it. */
    spentBelow: spentSchema,
  }),
);
export type ConversationTask = z.infer<typeof conversationTaskSchema>;
