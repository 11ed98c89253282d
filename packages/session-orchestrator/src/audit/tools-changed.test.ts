import type { ConversationId } from "@incipit/schema";
import type { Tool } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld } from "../testing/test-world.ts";

const namespace = "session-orchestrator/conversations";

function tool(name: string): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    approval: "allow",
    execute: async () => "done",
  };
}

test("audit reports changed tools when the epoch's tool list is damaged", async () => {
  const storage = createMemoryStorage();
  let id: ConversationId;
  {
    await using before = await createWorld({ storage, prompts: ["p"], tools: [tool("a")] });
    ({ id } = await before.conversations.create({}));
    await before.turn(id, "one");
  }
  for (const { key } of await storage.list(namespace, { prefix: "tool-list:", limit: 10 }))
    await storage.atomic([], [{ kind: "set", namespace, key, value: { no: "list" } }]);

  const defaults = { promptRefresh: "turn" } as const;
  await using world = await createWorld({ storage, prompts: ["another"], tools: [tool("b")], defaults });
  await world.turn(id, "two");
  const { items } = await world.records.audit(id, { limit: 10 });

  expect(items.at(-1)).toMatchObject({
    verdict: "broken",
    reason: "tools-changed",
    warning: { hint: expect.stringContaining("the tools of the conversation") },
  });
});
