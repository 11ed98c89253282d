import * as z from "zod";
import { conversationSchema } from "../conversation/conversation.ts";
import { lazySchema } from "../values/lazy-schema.ts";
import { spentSchema } from "./spent.ts";

/** A conversation that works on a task of another one. */
export const conversationTaskSchema = lazySchema(() =>
  z.object({
    conversation: conversationSchema,
    /** What its own model calls came to. */
    spent: spentSchema,
    /** The same of all tasks below it. */
    spentBelow: spentSchema,
  }),
);
export type ConversationTask = z.infer<typeof conversationTaskSchema>;
