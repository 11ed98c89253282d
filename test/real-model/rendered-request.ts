import * as z from "zod";

const contentSchema = z.string().nullish();
const callSchema = z.object({ function: z.object({ name: z.string(), arguments: z.string() }) });
const bodySchema = z.object({
  tools: z.array(z.unknown()).default([]),
  messages: z.array(
    z.object({ role: z.string(), content: contentSchema, tool_calls: z.array(callSchema).default([]) }),
  ),
});

/** Calls contain no spaces, since the tokenizer and the model may encode a space differently. */
export function renderRequest(body: string): string {
  const { tools, messages } = bodySchema.parse(JSON.parse(body));
  const said = messages.map(({ role, content, tool_calls: calls }) => {
    const called = calls.map(({ function: { name, arguments: input } }) => `${name}${input}`);
    return `<${role}>${[content ?? "", ...called].join("")}\n`;
  });
  return `<tools>${JSON.stringify(tools)}\n${said.join("")}<assistant>`;
}

export function asksForTool(body: string): boolean {
  const last = bodySchema.parse(JSON.parse(body)).messages.at(-1);
  return last?.role === "user" && (last.content ?? "").startsWith("Look");
}
