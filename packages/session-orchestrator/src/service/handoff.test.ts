import { conversationIdSchema, turnIdSchema, type TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { keys } from "../store/stored.ts";
import { createWorld } from "../testing/test-world.ts";
import { hookedStorage } from "../testing/hooked-storage.ts";
import { followAcrossGenerations, type HandedOver } from "./handoff.ts";

const id = "session-orchestrator";

async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

test("[swap-loses-nothing] a swap waits for recovery, and later messages belong to the new generation", async () => {
  const gate = Promise.withResolvers<void>();
  let isHeld = false;
  const storage = hookedStorage({
    list: ({ prefix }) => (isHeld && prefix === keys.allActive ? gate.promise : undefined),
  });
  await using world = await createWorld({ storage });
  const { conversations, kernel } = world;
  const generation = (): number | undefined => kernel.list().find((extension) => extension.id === id)?.generation;
  const { id: conversation } = await conversations.create({});
  isHeld = true; // The lookup of a new generation after the previous one has ended.
  await kernel.swap(id);
  const sent = conversations.send(conversation, { input: "hello" });

  const swapping = kernel.swap(id);
  await turnsOfTheLoop(20);
  const before = generation();
  gate.resolve();
  const { outcome, cut } = await swapping;
  const { turnId, afterSeq } = await sent;
  const events = await Array.fromAsync(conversations.follow(conversation, { afterSeq, turnId }));

  expect([before, generation()]).toEqual([2, 3]);
  expect({ outcome, cut }).toEqual({ outcome: "swapped", cut: 0 });
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
});

test("[swap-loses-nothing] followAcrossGenerations waits for a silent predecessor and continues in the next generation", async () => {
  const conversation = conversationIdSchema.parse("01a20772-7fe9-7196-a1d3-37663033c74e");
  const end: TurnEvent = {
    type: "turn-end",
    turnId: turnIdSchema.parse(conversation),
    status: "completed",
    seq: 1,
    at: "2026-01-01T00:00:00.000Z",
  };
  const get = (): Promise<never> => Promise.reject(new Error("Nobody asks"));
  const over = Promise.withResolvers<void>();
  let asked = 0;
  const working = {
    get,
    holds: () => true,
    async *follow() {
      asked += 1;
      if (asked > 100) throw new Error("It was asked again and again");
      yield* [];
    },
  };
  const own = {
    get,
    async *follow() {
      yield end;
    },
  };
  const before: { current: HandedOver["before"]["current"] } = { current: working };

  const following = Array.fromAsync(
    followAcrossGenerations(
      conversation,
      { afterSeq: 0, turnId: end.turnId },
      { own, at: async () => before.current ?? own, before, alone: over.promise },
    ),
  );
  await turnsOfTheLoop(1);
  before.current = undefined;
  over.resolve();

  expect(await following).toEqual([end]);
  expect(asked).toBe(1);
});
