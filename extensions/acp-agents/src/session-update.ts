import * as z from "zod";

const contentSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  uri: z.string().optional(),
  name: z.string().optional(),
  mimeType: z.string().nullish(),
});
export type UpdateContent = z.output<typeof contentSchema>;

const toolContentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("content"), content: contentSchema }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    oldText: z.string().nullish(),
    newText: z.string(),
  }),
  z.object({ type: z.literal("terminal"), terminalId: z.string() }),
]);
export type ToolContent = z.output<typeof toolContentSchema>;

const text = z.string().nullish().catch(null);

/** A tool call, or of a change of one: what is absent, or not understood, stays as it was. */
const toolCallSchema = z.object({
  toolCallId: z.string(),
  title: text,
  name: text,
  kind: text,
  status: text,
  content: z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((items) => items?.flatMap((item) => toolContentSchema.safeParse(item).data ?? [])),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
});
export type ToolCallChange = z.output<typeof toolCallSchema>;

const updateSchema = z.discriminatedUnion("sessionUpdate", [
  z.object({ sessionUpdate: z.literal("agent_message_chunk"), content: contentSchema, messageId: text }),
  z.object({ sessionUpdate: z.literal("agent_thought_chunk"), content: contentSchema, messageId: text }),
  z.object({ sessionUpdate: z.literal("tool_call"), ...toolCallSchema.shape }),
  z.object({ sessionUpdate: z.literal("tool_call_update"), ...toolCallSchema.shape }),
  z.object({
    sessionUpdate: z.literal("plan"),
    entries: z.array(z.object({ content: z.string(), status: text })),
  }),
]);
export type SessionUpdate = z.output<typeof updateSchema>;

const notificationSchema = z.object({ sessionId: z.string(), update: z.unknown().optional() });

/**
 * What an agent says while it answers. `update` is absent for what is not shown: what the user said, commands, modes, and whatever
 * newer agents say. Never throws: nothing that an agent tells in passing ends its session.
 */
export function readUpdate(
  params: unknown,
): { readonly sessionId: string; readonly update: SessionUpdate | undefined } | undefined {
  const notification = notificationSchema.safeParse(params).data;
  if (notification === undefined) return undefined;
  const { sessionId, update } = notification;
  return { sessionId, update: updateSchema.safeParse(update).data };
}

export const permissionSchema = z.object({
  sessionId: z.string(),
  toolCall: toolCallSchema,
  options: z.array(z.object({ optionId: z.string(), name: z.string().catch(""), kind: z.string() })).max(100),
});
