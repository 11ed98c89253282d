import * as z from "zod";
import { messageIdSchema, timestampSchema, turnIdSchema } from "./ids.ts";

export const textPartSchema = z.strictObject({ type: z.literal("text"), text: z.string() });
const reasoningPartSchema = z.strictObject({ type: z.literal("reasoning"), text: z.string() });
const toolCallPartSchema = z.strictObject({
  type: z.literal("tool-call"),
  toolCallId: z.string(),
  name: z.string(),
  /** The arguments as the model wrote them: JSON text, kept byte for byte. */
  input: z.string(),
});
const toolResultPartSchema = z.strictObject({
  type: z.literal("tool-result"),
  toolCallId: z.string(),
  name: z.string(),
  output: z.string(),
  isError: z.boolean(),
});
export const messagePartSchema = z.discriminatedUnion("type", [
  textPartSchema,
  reasoningPartSchema,
  toolCallPartSchema,
  toolResultPartSchema,
]);
export type MessagePart = z.infer<typeof messagePartSchema>;

/** System text is never a message: there is no such role. */
export const messageSchema = z.object({
  id: messageIdSchema,
  role: z.enum(["user", "assistant", "tool"]),
  parts: z.array(messagePartSchema),
  turnId: turnIdSchema,
  /** Counts from 1; each compaction begins the next. */
  epoch: z.int().positive(),
  createdAt: timestampSchema,
  /** The message of the epoch before that it repeats, for it had not been answered yet. */
  carriedFrom: messageIdSchema.exactOptional(),
});
export type Message = z.infer<typeof messageSchema>;
