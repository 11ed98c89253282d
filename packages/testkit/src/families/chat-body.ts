import * as z from "zod";

const callSchema = z.looseObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(partSchema), z.null()]).optional(),
  tool_calls: z.array(callSchema).optional(),
  tool_call_id: z.string().optional(),
  reasoning_content: z.string().optional(),
});
const toolSchema = z.looseObject({
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), parameters: z.record(z.string(), z.unknown()).optional() }),
});

/** Only what the rules need. */
export const chatBodySchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(messageSchema),
  tools: z.array(toolSchema).optional(),
});

export type ChatBody = z.infer<typeof chatBodySchema>;
export type ChatMessage = ChatBody["messages"][number];

export function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

export function hasCalls({ tool_calls: calls = [] }: ChatMessage): boolean {
  return calls.length > 0;
}

export function messagesWhere(
  { messages }: ChatBody,
  holds: (message: ChatMessage, index: number) => boolean,
): readonly string[] {
  return messages.flatMap((message, index) =>
    holds(message, index) ? [`messages.${index} (${message.role})`] : [],
  );
}
