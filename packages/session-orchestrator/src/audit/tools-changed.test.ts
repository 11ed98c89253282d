import type { ConversationId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld } from "../testing/test-world.ts";
import { listStored, putStored } from "../testing/hooked-storage.ts";
import { allowedTool } from "../testing/new-tool.ts";

test("audit reports changed tools when the epoch's tool list is damaged", async () => {
  const storage = createMemoryStorage();
  let id: ConversationId;
  {
    await using before = await createWorld({ storage, prompts: ["p"], tools: [allowedTool("a")] });
    ({ id } = await before.conversations.create({}));
    await before.turn(id, "one");
  }
  for (const { key } of await listStored(storage, "tool-list:")) await putStored(storage, key, { no: "list" });

  const defaults = { promptRefresh: "turn" } as const;
  await using world = await createWorld({ storage, prompts: ["another"], tools: [allowedTool("b")], defaults });
  await world.turn(id, "two");
  const { items } = await world.records.audit(id, { limit: 10 });

  expect(items.at(-1)).toMatchObject({
    verdict: "broken",
    reason: "tools-changed",
    warning: { hint: expect.stringContaining("the tools of the conversation") },
  });
});
