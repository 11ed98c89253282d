import * as z from "zod";

const contentSchema = z.string().nullish();
const callSchema = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });
const bodySchema = z.object({
  tools: z.array(z.unknown()).default([]),
  messages: z.array(
    z.object({ role: z.string(), content: contentSchema, tool_calls: z.array(callSchema).default([]) }),
  ),
});

/**
 * A request of OpenAI's chat protocol, as the text that the model reads; it ends where the model goes on. A call
 * has no space in it: the tokenizer and the model may each write one with another token.
 */
export function renderRequest(body: string): string {
  const { tools, messages } = bodySchema.parse(JSON.parse(body));
  const said = messages.map(({ role, content, tool_calls: calls }) => {
    const called = calls.map(({ function: { name, arguments: input } }) => `${name}${input}`);
    return `<${role}>${[content ?? "", ...called].join("")}\n`;
  });
  return `<tools>${JSON.stringify(tools)}\n${said.join("")}<assistant>`;
}

/** Whether what was said last is a user who asks for a look at something. */
export function asksForTool(body: string): boolean {
  const last = bodySchema.parse(JSON.parse(body)).messages.at(-1);
  return last?.role === "user" && (last.content ?? "").startsWith("Look");
}
