import * as z from "zod";

const chatRequestSchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.unknown() })) });

export function systemTexts(body: string): readonly unknown[] {
  const { messages } = chatRequestSchema.parse(JSON.parse(body));
  return messages.filter((message) => message.role === "system").map((message) => message.content);
}

/** A later request has to begin with the body without its closing brackets. */
export function prefixOf(body: string): string {
  if (!body.endsWith("]}")) throw new Error(`The messages are not at the end of the body: …${body.slice(-80)}`);
  return body.slice(0, -2);
}
