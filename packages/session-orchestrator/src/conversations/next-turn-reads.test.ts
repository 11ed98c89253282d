import type { StorageDriver } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld } from "../testing/test-world.ts";
import { conversationsNamespace, hookedStorage, putStored } from "../testing/hooked-storage.ts";

const kinds: ReadonlySet<string> = new Set(["event", "message", "step", "told-system", "wire"]);

async function storedConversation(turns: number): Promise<{
  readonly id: ConversationId;
  readonly memory: StorageDriver;
  readonly storage: StorageDriver;
  readonly rows: Map<string, number>;
}> {
  const memory = createMemoryStorage();
  const rows = new Map<string, number>();
  const count = (key: string): void => {
    const kind = key.slice(0, key.indexOf(":"));
    if (kinds.has(kind)) rows.set(kind, (rows.get(kind) ?? 0) + 1);
  };
  const storage = hookedStorage(
    {
      get: (key) => count(key),
      listed: (found) => {
        for (const { key } of found) count(key);
      },
    },
    memory,
  );
  await using world = await createWorld({ storage: memory, prompts: ["Be brief."] });
  const { id } = await world.conversations.create({});
  for (let turn = 0; turn < turns; turn += 1) await world.turn(id, `question ${turn}`);
  return { id, memory, storage, rows };
}

async function rowsOfNextTurn(turns: number): Promise<Readonly<Record<string, number>>> {
  const { id, storage, rows } = await storedConversation(turns);
  await using world = await createWorld({ storage, prompts: [] });
  rows.clear();
  await world.turn(id, "go on");
  const { items } = await world.records.steps(id, { limit: 1_000 });
  expect(items.at(-1)).toMatchObject({ differenceReason: null, prefix: { measure: "body", difference: null } });
  return Object.fromEntries(rows);
}

test("the first turn after a restart reads its epoch's messages once, and little else", async () => {
  const [short, long] = [await rowsOfNextTurn(20), await rowsOfNextTurn(120)];

  const { message: shortMessages = 0, step: shortSteps = 0, ...shortRest } = short;
  const { message: longMessages = 0, step: longSteps = 0, ...longRest } = long;
  expect([shortMessages, longMessages]).toEqual([40, 240]);
  expect(longRest).toEqual(shortRest);
  expect(longSteps - 121).toBe(shortSteps - 21);
});

test("the first turn after a restart detects a history edited in storage", async () => {
  const { id, memory } = await storedConversation(20);
  const key = `message:${id}:${"1".padStart(12, "0")}`;
  const stored = await memory.get(conversationsNamespace, key);
  const value = JSON.parse(JSON.stringify(stored?.value).replace(/"text":"[^"]*"/, '"text":"Something else"'));
  await putStored(memory, key, value);

  await using world = await createWorld({ storage: memory, prompts: [] });
  await world.turn(id, "go on");

  const { items } = await world.records.steps(id, { limit: 1_000 });
  expect(items.at(-1)).toMatchObject({ firstDifference: "message:1", differenceReason: "history-edited" });
});
