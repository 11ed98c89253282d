import { expect, test } from "bun:test";
import { TaskSlots } from "./task-slots.ts";

const { signal } = new AbortController();

async function hasSettled(work: Promise<unknown>): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
}

test("take() limits concurrent tasks per conversation and admits the next when one ends", async () => {
  const places = new TaskSlots({ perTurn: 10, atOnce: 2 });
  const first = await places.take("a", "1", signal);
  await places.take("a", "1", signal);
  const third = places.take("a", "1", signal);
  const fourth = places.take("a", "1", signal);
  await places.take("b", "1", signal);

  expect(await hasSettled(third)).toBe(false);
  first[Symbol.dispose]();

  expect(await hasSettled(third)).toBe(true);
  expect(await hasSettled(fourth)).toBe(false);
});

test("take() limits tasks per turn, ended or not, and resets the count each turn", async () => {
  const places = new TaskSlots({ perTurn: 2, atOnce: 10 });
  (await places.take("a", "1", signal))[Symbol.dispose]();
  await places.take("a", "1", signal);

  const refused = await places.take("a", "1", signal).catch((error: unknown) => error);

  expect(refused).toMatchObject({ message: expect.stringContaining("subagents.max_per_turn") });
  expect(await hasSettled(places.take("a", "2", signal))).toBe(true);
});

test("take() rejects on abort and passes the slot on", async () => {
  const places = new TaskSlots({ perTurn: 10, atOnce: 1 });
  const stop = new AbortController();
  const first = await places.take("a", "1", signal);
  const stopped = places.take("a", "1", stop.signal).catch((error: unknown) => error);
  const behind = places.take("a", "1", signal);

  stop.abort(new Error("stopped"));
  first[Symbol.dispose]();

  expect(await stopped).toMatchObject({ message: "stopped" });
  expect(await hasSettled(behind)).toBe(true);
});
