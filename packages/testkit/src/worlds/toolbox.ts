import { defineExtension, type Extension } from "@incipit/kernel";
import { conversationIdSchema } from "@incipit/schema";
import { toolsPoint, type ConversationsService } from "@incipit/service-contract";

/** Tools that run without approval, and note it. */
export function toolbox(ran: string[], ...names: readonly string[]): Extension {
  return defineExtension({ id: "test.toolbox", version: "1.0.0", api: "^1", contributes: ["tools@1"] }, (host) => {
    for (const name of names)
      host.contribute(toolsPoint, {
        name,
        description: name,
        inputSchema: { type: "object" },
        approval: "allow",
        execute: async () => `${ran.push(name)}`,
      });
  });
}

export async function toolsOf(conversations: ConversationsService, id: string | null): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const { tools } = await conversations.tools(conversationIdSchema.parse(id), { signal });
  return tools.map(({ name }) => name);
}
