import { isTooDeep, tooDeepText } from "@incipit/kernel";
import * as z from "zod";
import { contentText } from "./tool-text.ts";

const word = z.string().optional().catch(undefined);
const text = z.string().nullish().catch(null);

const contentSchema = z.union([
  z.string().transform((said) => ({ type: "text", text: said, uri: undefined, name: undefined, mimeType: null })),
  z.looseObject({ type: z.string().catch("text"), text: word, uri: word, name: word, mimeType: text }),
]);
export type UpdateContent = Pick<z.output<typeof contentSchema>, "type" | "text" | "uri" | "name" | "mimeType">;

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

/** Any other value is content, too: a block without its envelope, or a description. */
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

const idSchema = z.union([z.string(), z.number().transform(String)]);

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
 * `update` is absent for hidden updates: user messages, commands, modes, and unknown kinds. Never throws, since a
 * notification must not end the session.
 */
export function readUpdate(params: unknown): {
  readonly sessionId: string | null;
  readonly update: SessionUpdate | undefined;
} {
  const notification = notificationSchema.safeParse(params).data;
  // The library prints a line for each rejected message.
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
