import type { ModelEvent, ModelRequest } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld, stall } from "../testing/test-world.ts";

const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 10);

test("a clock moved back across a restart changes no request prefix [byte-prefix]", async () => {
  const storage = createMemoryStorage();
  const before = await createWorld({ storage, prompts: ["kept"], startMs });
  const { id } = await before.conversations.create({});
  for (const input of ["one", "two"]) await before.turn(id, input);
  await before.kernel.close();
  await using after = await createWorld({ storage, prompts: ["another"], startMs: startMs - dayMs });
  for (const input of ["three", "four"]) await after.turn(id, input);

  const sent = [...before.requests, ...after.requests];
  for (const [index, request] of sent.entries()) {
    expect(request.systemPrompt).toEqual(["kept"]);
    expect(request.messages.slice(0, -2)).toEqual([...(sent[index - 1]?.messages ?? [])]);
  }
  const { items } = await after.records.steps(id, { limit: 100 });
  expect(items.map(({ startedAt }) => startedAt)).toEqual(
    [startMs, startMs, startMs - dayMs, startMs - dayMs].map((ms) => new Date(ms).toISOString()),
  );
  expect(items.slice(1).map((step) => step.firstDifference)).toEqual([null, null, null]);
});

test("a clock moved back across a crash keeps the queue order", async () => {
  const storage = createMemoryStorage();
  const lost = await createWorld({ storage, startMs });
  const { id } = await lost.begin("text-delta", stall, { input: "one" });
  for (const input of ["two", "three"]) await lost.conversations.send(id, { input });
  const scripts = [(request: ModelRequest): AsyncIterable<ModelEvent> => stall(request)];
  const lostToo = await createWorld({ storage, startMs: startMs - dayMs, scripts });
  await lostToo.conversations.send(id, { input: "four" });
  await using world = await createWorld({ storage, startMs: startMs - 2 * dayMs });
  const { turnId } = await world.conversations.send(id, { input: "five" });

  const started: string[] = [];
  for await (const event of world.conversations.follow(id, { afterSeq: 0 })) {
    if (event.type === "turn-start") started.push(event.input);
    if (event.type === "turn-end" && event.turnId === turnId) break;
  }
  const { items } = await world.records.steps(id, { limit: 100 });

  expect(started).toEqual(["one", "two", "three", "four", "five"]);
  expect(items.map(({ endedAt }) => endedAt)).not.toContain(null);
});

test("a clock moved back keeps the newest conversation first in the list", async () => {
  const storage = createMemoryStorage();
  const before = await createWorld({ storage, startMs });
  const first = await before.conversations.create({});
  await before.kernel.close();
  await using after = await createWorld({ storage, startMs: startMs - dayMs });
  const second = await after.conversations.create({});

  const { items } = await after.conversations.list({ limit: 10 });

  expect(items.map(({ id }) => id)).toEqual([second.id, first.id]);
});
