import type { WireName } from "@incipit/testkit";
import * as z from "zod";

const textSchema = z.object({ text: z.string() });
const contentSchema = z.union([
  z.string(),
  z.array(textSchema).transform((parts) => parts.map(({ text }) => text).join("")),
]);
const messagesSchema = z.array(z.looseObject({ role: z.string().optional(), content: z.unknown().optional() }));

const bodySchema = z.object({
  messages: messagesSchema.optional(),
  input: messagesSchema.optional(),
  instructions: z.string().optional(),
  system: z.union([z.string().transform((text) => [{ text }]), z.array(textSchema)]).optional(),
  systemInstruction: z.object({ parts: z.array(textSchema) }).optional(),
});

function systemMessages(messages: z.infer<typeof messagesSchema> = []): readonly string[] {
  return messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ content }) => contentSchema.parse(content));
}

export function sentSystemTexts(wire: WireName, body: string): readonly string[] {
  const { messages, input, instructions, system, systemInstruction } = bodySchema.parse(JSON.parse(body));
  switch (wire) {
    case "openai-chat":
    case "deepseek":
      return systemMessages(messages);
    case "openai-responses":
      return [...(instructions === undefined ? [] : [instructions]), ...systemMessages(input)];
    case "anthropic":
      return (system ?? []).map(({ text }) => text);
    case "gemini":
      return (systemInstruction?.parts ?? []).map(({ text }) => text);
  }
}
