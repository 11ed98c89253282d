import { expect, test } from "bun:test";
import { createWorld, say } from "../testing/test-world.ts";
import { DeltaPace } from "./stored-deltas.ts";

test("DeltaPace defers one conversation to the next event loop turn and batches several", async () => {
  const pace = new DeltaPace();
  const [one, two, three] = [{}, {}, {}];
  const alone = [pace.next(one), pace.next(one)];
  const together = [pace.next(two), pace.next(three), pace.next(one)];
  let isPaced = true;
  void together[0]?.then(() => (isPaced = false));

  await Promise.all(alone);

  expect(isPaced).toBe(true);
  expect(new Set(together).size).toBe(1);
  await together[0];
  expect(pace.next(two)).toBe(pace.next(three));
});

test("concurrent replies of many models arrive complete, and each turn ends", async () => {
  await using world = await createWorld();
  const all = Array.from({ length: 20 }, async () => {
    const { id } = await world.conversations.create({});
    world.scripts.push(() => say("One ", "two ", "three"));
    return world.turn(id, "Go");
  });

  for (const events of await Promise.all(all)) {
    const text = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
    expect(text).toBe("One two three");
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  }
});
