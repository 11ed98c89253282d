import { createMemoryStorage, sampleCount } from "@incipit/testkit";
import type { ConversationId, TurnEvent, TurnId } from "@incipit/schema";
import { modelCallsHandle, type ModelCallEvent } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  call,
  collect,
  createWorld,
  fail,
  outcomeOf,
  say,
  stall,
  taking,
  type World,
} from "../testing/test-world.ts";

const prices = { input: 1_000_000, output: 1_000_000, cacheRead: null, cacheWrite: null };
const dayMs = 86_400_000;
/** Noon, several hours away from midnight in most time zones. */
const startMs = Date.parse("2026-03-02T12:00:00.000Z");

type Limits = { readonly max_usd_per_conversation?: number; readonly max_usd_per_day?: number };

function worldWith(limits: Limits, more: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  return createWorld({ prices, startMs, settings: { limits }, ...more });
}

async function spend(world: World, id: ConversationId, usd: number): Promise<readonly TurnEvent[]> {
  world.scripts.splice(0, Infinity, () => taking(usd, say("Yes.")));
  return world.turn(id, "go");
}

function noticesIn(events: readonly TurnEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "spending-notice" ? [event.message] : []));
}

function endOf(events: readonly TurnEvent[]): string | undefined {
  const end = events.at(-1);
  return end?.type === "turn-end" ? (end.error?.code ?? end.status) : undefined;
}

async function stateless(world: World): Promise<readonly ModelCallEvent[]> {
  const calls = world.service(modelCallsHandle);
  const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "Hi" }] }];
  return world.clock.advanceUntil(
    collect(calls.call({ messages, tools: [] }, { signal: new AbortController().signal })),
  );
}

test("max_usd_per_conversation warns once, ends a turn before the next call, and can be raised", async () => {
  const storage = createMemoryStorage();
  await using world = await worldWith({ max_usd_per_conversation: 100 }, { storage });
  const { id } = await world.conversations.create({});
  const other = await world.conversations.create({});

  const events = [await spend(world, id, 80), await spend(world, id, 10), await spend(world, id, 30)];
  const refused = await spend(world, id, 5);
  const elsewhere = await spend(world, other.id, 5);
  await world[Symbol.asyncDispose]();
  await using raised = await worldWith({ max_usd_per_conversation: 130 }, { storage });
  const after = await spend(raised, id, 5);

  expect(events.map(endOf)).toEqual(["completed", "completed", "completed"]);
  expect(events.map(noticesIn)).toEqual([
    [],
    ["This conversation has cost $80.00 of the $100.00 that [limits] max_usd_per_conversation allows"],
    [],
  ]);
  expect(refused.at(-1)).toMatchObject({
    status: "failed",
    error: {
      code: "SPEND_LIMIT_REACHED",
      message:
        "This conversation has cost $120.00, and [limits] max_usd_per_conversation allows $100.00: further model calls are refused; raise the cap and restart the host, or start a new conversation",
    },
  });
  expect([endOf(elsewhere), endOf(after)]).toEqual(["completed", "completed"]);
  expect(noticesIn(after)).toHaveLength(1);
});

test("a cap stops a turn between steps, a retry, a compaction and a stateless call", async () => {
  await using world = await worldWith({ max_usd_per_day: 10 });
  const { id, events: between } = await world.ask("go", () =>
    taking(12, call({ toolCallId: "1", name: "x", input: "{}" })),
  );
  const compaction = await outcomeOf(world.conversations.compact(id));
  const [, end] = await stateless(world);

  expect(endOf(between)).toBe("SPEND_LIMIT_REACHED");
  expect(compaction).toMatchObject({ code: "SPEND_LIMIT_REACHED" });
  expect(end).toMatchObject({ type: "failure", error: { code: "SPEND_LIMIT_REACHED" } });
  expect(world.requests).toHaveLength(1);
});

test("a retry is stopped after another conversation reaches the day's cap", async () => {
  await using world = await worldWith({ max_usd_per_day: 10 });
  const [one, other] = [await world.conversations.create({}), await world.conversations.create({})];
  world.scripts.push(
    () => fail("OVERLOADED", true),
    () => taking(12, say("Yes.")),
  );

  const events = world.turn(one.id, "go");
  while (world.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await world.turn(other.id, "go");
  const retried = await world.clock.advanceUntil(events);

  expect(endOf(retried)).toBe("SPEND_LIMIT_REACHED");
});

test("tasks count towards the delegating conversation", async () => {
  await using world = await worldWith({ max_usd_per_conversation: 10 });
  const { id } = await world.conversations.create({});
  const sent = Promise.withResolvers<TurnId>();
  const begun = Promise.withResolvers<ConversationId>();
  world.scripts.push(async function* () {
    const parent = { conversationId: id, turnId: await sent.promise, toolCallId: "1" };
    begun.resolve((await world.conversations.create({}, { parent })).id);
    yield* say("Yes.");
  });
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "go" });
  sent.resolve(turnId);
  await collect(world.conversations.follow(id, { afterSeq, turnId }));
  const taskId = await begun.promise;

  const ends = [await spend(world, taskId, 9), await spend(world, taskId, 1), await spend(world, id, 1)];

  expect(ends.map(endOf)).toEqual(["completed", "SPEND_LIMIT_REACHED", "SPEND_LIMIT_REACHED"]);
});

test("a stopped, uncounted reply counts towards caps by its length", async () => {
  await using world = await worldWith({ max_usd_per_conversation: 30, max_usd_per_day: 60 });
  const ids = [(await world.conversations.create({})).id, (await world.conversations.create({})).id] as const;
  const stopped = async (id: ConversationId): Promise<readonly TurnEvent[]> => {
    world.scripts.length = 0;
    const { turnId } = await world.begin("text-delta", (request) => stall(request, "par".repeat(20)), { id });
    await world.conversations.stop(id);
    return world.ended(id, turnId);
  };

  const first = [await stopped(ids[0]), await spend(world, ids[0], 1)];
  const second = [await stopped(ids[1]), await spend(world, ids[1], 1)];
  const { items } = await world.records.steps(ids[0], { limit: 10 });

  expect(first.map(endOf)).toEqual(["cancelled", "SPEND_LIMIT_REACHED"]);
  expect(second.map(endOf)).toEqual(["cancelled", "SPEND_LIMIT_REACHED"]);
  expect(items).toMatchObject([{ usage: null, estimatedUsage: { outputTokens: expect.any(Number) } }]);
});

test("a call that failed before its reply does not count", async () => {
  await using world = await worldWith({ max_usd_per_day: 1 });
  const { id } = await world.conversations.create({});
  world.scripts.push(() => fail("RATE_LIMITED", false));

  expect([endOf(await world.turn(id, "go")), endOf(await spend(world, id, 1))]).toEqual([
    "RATE_LIMITED",
    "completed",
  ]);
});

test("a model without a price is announced once and never stopped", async () => {
  await using world = await createWorld({ startMs, settings: { limits: { max_usd_per_day: 1 } } });
  const { id } = await world.conversations.create({});

  const turns = [await spend(world, id, 5), await spend(world, id, 5)];

  expect(turns.map(endOf)).toEqual(["completed", "completed"]);
  expect(turns.map(noticesIn)).toEqual([[expect.stringContaining('The price of "test/model" is unknown')], []]);
});

const cap = 100;

type Action =
  | { readonly kind: "spend"; readonly at: number; readonly usd: number }
  | { readonly kind: "delete"; readonly at: number }
  | { readonly kind: "restart" }
  | { readonly kind: "next-day" }
  | { readonly kind: "together"; readonly usd: readonly number[] };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("spend"), at: fc.nat(2), usd: fc.integer({ min: 2, max: 60 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete"), at: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "next-day" } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("together"),
      usd: fc.array(fc.integer({ min: 2, max: 60 }), { minLength: 2, maxLength: 3 }),
    }),
  },
);

test("max_usd_per_day holds over random turns, deletions, restarts and days, with a warning", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 14 }), async (actions) => {
      const storage = createMemoryStorage();
      let world = await worldWith({ max_usd_per_day: cap }, { storage });
      let nowMs = startMs;
      const newIds = async (): Promise<ConversationId[]> =>
        Promise.all([0, 1, 2].map(async () => (await world.conversations.create({})).id));
      const ids = await newIds();
      const idAt = (index: number): ConversationId => {
        const id = ids[index];
        if (id === undefined) throw new Error(`There is no conversation ${index}`);
        return id;
      };
      let spent = 0;
      const announced = new Set<ConversationId>();
      for (const one of actions)
        switch (one.kind) {
          case "spend": {
            const id = idAt(one.at);
            const calls = world.requests.length;
            const events = await spend(world, id, one.usd);
            const isReached = spent >= cap;
            expect(endOf(events)).toBe(isReached ? "SPEND_LIMIT_REACHED" : "completed");
            expect(world.requests.length - calls).toBe(isReached ? 0 : 1);
            const isDue = !isReached && spent >= 0.8 * cap && !announced.has(id);
            expect(noticesIn(events)).toHaveLength(isDue ? 1 : 0);
            if (isDue) announced.add(id);
            if (!isReached) spent += one.usd;
            break;
          }
          case "together": {
            const before = spent;
            const calls = world.requests.length;
            world.scripts.splice(0, Infinity, ...one.usd.map((usd) => () => taking(usd, say("Yes."))));
            const turns = await Promise.all(one.usd.map((_, index) => world.turn(idAt(index), "go")));
            const begun = world.requests.length - calls;
            expect(begun).toBeLessThanOrEqual(before >= cap ? 0 : one.usd.length);
            spent += one.usd.slice(0, begun).reduce((sum, usd) => sum + usd, 0);
            for (const [index, events] of turns.entries())
              if (noticesIn(events).length > 0) announced.add(idAt(index));
            // Concurrent calls checked before the others ended.
            expect(spent).toBeLessThan(Math.max(cap, before) + 60 * one.usd.length);
            break;
          }
          case "delete": {
            await world.clock.advanceUntil(world.conversations.delete(idAt(one.at)));
            ids[one.at] = (await world.conversations.create({})).id;
            break;
          }
          case "restart":
            await world[Symbol.asyncDispose]();
            world = await worldWith({ max_usd_per_day: cap }, { storage, startMs: nowMs });
            break;
          case "next-day":
            nowMs += dayMs;
            await world.clock.advance(nowMs - world.clock.now());
            spent = 0;
            announced.clear();
            break;
        }
      await world[Symbol.asyncDispose]();
    }),
    { numRuns: sampleCount(25) },
  );
}, 60_000);
