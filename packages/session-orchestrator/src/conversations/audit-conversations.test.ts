import type { NamespacedWrite } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { allPages, createWorld } from "../testing/test-world.ts";
import { conversationsNamespace, hookedStorage } from "../testing/hooked-storage.ts";

const conversations = 40;
const stepsOfEach = 60;

test("audits reads about 1,000 unsummarized steps per call and resumes without gaps", async () => {
  const memory = createMemoryStorage();
  let steps = 0;
  const storage = hookedStorage(
    { listed: (entries) => (steps += entries.filter(({ key }) => key.startsWith("step:")).length) },
    memory,
  );
  await using world = await createWorld({ storage, prompts: ["Be brief."] });
  const { id: original } = await world.conversations.create({});
  await world.turn(original, "hello");
  const conversation = await memory.get(conversationsNamespace, `conversation:${original}`);
  const [step] = await memory.list(conversationsNamespace, { prefix: `step:${original}:`, limit: 1 });
  const copies = Array.from({ length: conversations }, (_, index): readonly NamespacedWrite[] => {
    const id = Bun.randomUUIDv7("hex", world.clock.now() + 1 + index);
    const value = { ...Object(conversation?.value), id };
    return [
      { kind: "set", namespace: conversationsNamespace, key: `conversation:${id}`, value },
      ...Array.from({ length: stepsOfEach }, (__, place): NamespacedWrite => {
        const stepId = Bun.randomUUIDv7("hex", world.clock.now() + 1 + place);
        return {
          kind: "set",
          namespace: conversationsNamespace,
          key: `step:${id}:${stepId}`,
          value: { ...Object(step?.value), id: stepId },
        };
      }),
    ];
  });
  await memory.atomic([], copies.flat());

  const found = new Set<string>();
  const read: number[] = [];
  await allPages(async (cursor) => {
    steps = 0;
    const page = await world.records.audits({ limit: 100, onlyBroken: "false", ...cursor });
    read.push(steps);
    for (const { id, summary } of page.items) {
      found.add(id);
      expect(summary.steps).toBe(id === original ? 1 : stepsOfEach);
    }
    return page;
  });

  expect(found.size).toBe(conversations + 1);
  expect(Math.max(...read)).toBeLessThanOrEqual(1_000 + stepsOfEach);
  expect(read.length).toBeGreaterThan(2);
});
