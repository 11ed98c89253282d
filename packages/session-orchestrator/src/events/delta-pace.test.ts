import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld, say } from "../testing/test-world.ts";
import { DeltaPace } from "./delta-pace.ts";

test("DeltaPace lets one conversation go on at once, and many that come together go together", async () => {
  const pace = new DeltaPace();
  const [one, two, three] = [{}, {}, {}];

  expect([pace.next(one), pace.next(one)]).toEqual([undefined, undefined]);
  const waiting = [pace.next(two), pace.next(three), pace.next(one)];

  expect(waiting[0]).toBeInstanceOf(Promise);
  expect(new Set(waiting).size).toBe(1);
  await waiting[0];
  expect(pace.next(two)).toBeInstanceOf(Promise); // Those that come behind them share the next.
});

test("what many models say at once comes whole, and each turn comes to its end", async () => {
  const memory = createMemoryStorage();
  await using world = await createWorld({ storage: memory });
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
