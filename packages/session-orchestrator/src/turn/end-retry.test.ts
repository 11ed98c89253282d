import type { StorageDriver } from "@incipit/kernel";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { collect, createWorld, say } from "../testing/test-world.ts";

test("TurnJobs retries storing a turn's end with a backoff up to 30 s", async () => {
  const memory = createMemoryStorage();
  let isFull = false;
  let refused = 0;
  const storage: StorageDriver = {
    ...memory,
    atomic(checks, writes) {
      if (!isFull) return memory.atomic(checks, writes);
      refused += 1;
      return Promise.reject(new Error("the disk is full"));
    },
  };
  await using world = await createWorld({ storage });
  const { id } = await world.conversations.create({});
  const isAnswering = Promise.withResolvers<void>();
  world.scripts.push(async function* () {
    await isAnswering.promise;
    isFull = true;
    yield* say("answer");
  });
  const sent = await world.conversations.send(id, { input: "one" });
  const events = collect(world.conversations.follow(id, sent));
  isAnswering.resolve();
  while (refused === 0) await new Promise((resolve) => setImmediate(resolve));

  for (let second = 0; second < 600; second += 1) {
    await world.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const seen = refused;
  isFull = false;
  await world.clock.advanceUntil(events);

  expect(seen).toBeGreaterThan(10);
  expect(seen).toBeLessThan(60);
  expect((await events).at(-1)).toMatchObject({ type: "turn-end" });
});
