import * as z from "zod";
import type { TerminalWorld } from "./terminal-world.ts";

const partSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: z.object({ url: z.string() }) }),
]);
const requestSchema = z.object({
  messages: z.array(
    z.object({ role: z.string(), content: z.union([z.string(), z.array(partSchema), z.null()]).optional() }),
  ),
});

export function userMessagesSent({ model }: Pick<TerminalWorld, "model">): readonly string[] {
  const { messages } = requestSchema.parse(JSON.parse(model.requests.at(-1)?.body ?? "{}"));
  return messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => {
      if (typeof content === "string") return content;
      return (content ?? []).map((part) => (part.type === "text" ? part.text : `<${part.image_url.url}>`)).join("");
    });
}
