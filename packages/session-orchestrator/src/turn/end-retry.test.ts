import { expect, test } from "bun:test";
import { collect, createWorld, say } from "../testing/test-world.ts";
import { FullableStorage } from "../testing/hooked-storage.ts";

test("TurnJobs retries storing a turn's end with a backoff up to 30 s", async () => {
  const full = new FullableStorage();
  await using world = await createWorld({ storage: full.driver });
  const { id } = await world.conversations.create({});
  const isAnswering = Promise.withResolvers<void>();
  world.scripts.push(async function* () {
    await isAnswering.promise;
    full.isFull = true;
    yield* say("answer");
  });
  const sent = await world.conversations.send(id, { input: "one" });
  const events = collect(world.conversations.follow(id, sent));
  isAnswering.resolve();
  while (full.refused === 0) await new Promise((resolve) => setImmediate(resolve));

  for (let second = 0; second < 600; second += 1) {
    await world.clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const seen = full.refused;
  full.isFull = false;
  await world.clock.advanceUntil(events);

  expect(seen).toBeGreaterThan(10);
  expect(seen).toBeLessThan(60);
  expect((await events).at(-1)).toMatchObject({ type: "turn-end" });
});
