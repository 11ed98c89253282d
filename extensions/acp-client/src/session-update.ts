import { isTooDeep, tooDeepText } from "@incipit/kernel";
import * as z from "zod";
import { contentText } from "./tool-text.ts";

const word = z.string().optional().catch(undefined);
const text = z.string().nullish().catch(null);

/** A text alone stands for a block of it. */
const contentSchema = z.union([
  z.string().transform((said) => ({ type: "text", text: said, uri: undefined, name: undefined, mimeType: null })),
  z.looseObject({ type: z.string().catch("text"), text: word, uri: word, name: word, mimeType: text }),
]);
export type UpdateContent = Pick<z.output<typeof contentSchema>, "type" | "text" | "uri" | "name" | "mimeType">;

/** A list of blocks stands for one block with the text of all. */
const chunkSchema = z.union([
  contentSchema,
  z
    .array(z.unknown())
    .transform((blocks) => blocks.flatMap((block) => contentSchema.safeParse(block).data ?? []).map(contentText))
    .transform((texts): UpdateContent => ({ type: "text", text: texts.join(""), uri: undefined, name: undefined })),
]);

const knownContentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("content"), content: contentSchema }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    oldText: text,
    newText: z.string(),
  }),
  z.object({ type: z.literal("terminal"), terminalId: z.string() }),
]);

/** What is none of these is content all the same: a block without its envelope, or a line with what it is. */
const toolContentSchema = z.union([
  knownContentSchema,
  contentSchema
    .refine(({ text: said }) => typeof said === "string")
    .transform((content) => ({ type: "content" as const, content })),
  z.looseObject({ type: z.string() }).transform((item) => ({
    type: "content" as const,
    content: { type: "text", text: isTooDeep(item) ? tooDeepText : JSON.stringify(item) },
  })),
]);
export type ToolContent = z.output<typeof toolContentSchema>;

/** An id of an agent, which some write as a number. */
const idSchema = z.union([z.string(), z.number().transform(String)]);

/** A tool call, or of a change of one: what is absent, or not understood, stays as it was. */
const toolCallSchema = z.object({
  toolCallId: idSchema,
  title: text,
  name: text,
  kind: text,
  status: text,
  content: z
    .union([z.array(z.unknown()), z.looseObject({ type: z.string() }).transform((item): unknown[] => [item])])
    .nullish()
    .catch(null)
    .transform((items) => items?.flatMap((item) => toolContentSchema.safeParse(item).data ?? [])),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
});
export type ToolCallChange = z.output<typeof toolCallSchema>;

const planEntrySchema = z.object({ content: z.string(), status: text });

const updateSchema = z.discriminatedUnion("sessionUpdate", [
  z.object({ sessionUpdate: z.literal("agent_message_chunk"), content: chunkSchema, messageId: text }),
  z.object({ sessionUpdate: z.literal("agent_thought_chunk"), content: chunkSchema, messageId: text }),
  z.object({ sessionUpdate: z.literal("tool_call"), ...toolCallSchema.shape }),
  z.object({ sessionUpdate: z.literal("tool_call_update"), ...toolCallSchema.shape }),
  z.object({
    sessionUpdate: z.literal("plan"),
    entries: z
      .array(z.unknown())
      .transform((entries) => entries.flatMap((entry) => planEntrySchema.safeParse(entry).data ?? [])),
  }),
]);
export type SessionUpdate = z.output<typeof updateSchema>;

const notificationSchema = z.object({ sessionId: idSchema.nullish().catch(null), update: z.unknown().optional() });

/**
 * What an agent says while it answers. `sessionId` is null where it does not say in which session. `update` is absent for what is not shown: what the user said, commands, modes, and whatever
 * newer agents say. Never throws: nothing that an agent tells in passing ends its session.
 */
export function readUpdate(params: unknown): {
  readonly sessionId: string | null;
  readonly update: SessionUpdate | undefined;
} {
  const notification = notificationSchema.safeParse(params).data;
  // The library prints a line for each message that it is refused.
  if (notification === undefined) return { sessionId: null, update: undefined };
  const { sessionId = null, update } = notification;
  return { sessionId, update: updateSchema.safeParse(update).data };
}

const optionSchema = z.object({ optionId: z.string(), name: z.string().catch(""), kind: z.string() });

export const permissionSchema = z.object({
  sessionId: idSchema.nullish().catch(null),
  toolCall: toolCallSchema,
  options: z
    .array(z.unknown())
    .max(100)
    .catch([])
    .transform((options) => options.flatMap((option) => optionSchema.safeParse(option).data ?? [])),
});
