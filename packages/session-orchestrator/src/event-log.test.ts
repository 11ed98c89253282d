import { expect, test } from "bun:test";
import type { ConversationId, TurnEvent } from "@incipit/service-contract";
import { collect, createWorld, stall, until } from "./testing/test-world.ts";

test("follow refuses a number that is not reached yet", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  await world.turn(id, "one");
  const { lastSeq } = await world.conversations.get(id);

  const failure = await collect(world.conversations.follow(id, { afterSeq: lastSeq + 1 })).catch(
    (error: unknown) => error,
  );

  expect(failure).toMatchObject({ code: "INVALID_EVENT_ID" });
});

test("follow ends at whatever moment its signal aborts", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  for (let ticks = 0; ticks < 12; ticks += 1) {
    const controller = new AbortController();
    const ended = collect(world.conversations.follow(id, { afterSeq: 0, signal: controller.signal }));
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    controller.abort();
    const late = new Promise<string>((resolve) => setImmediate(() => setImmediate(() => resolve("late"))));
    expect(await Promise.race([ended, late])).toEqual([]);
  }
});

test("follow reads what memory has let go from storage, without a gap or a repeat", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  world.scripts.push(async function* long() {
    yield { type: "text-start", partId: "0" };
    for (let count = 0; count < 2_500; count += 1) yield { type: "text-delta", partId: "0", text: `${count} ` };
    yield {
      type: "finish",
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null },
      finishReason: "stop",
    };
  });
  const live = await world.turn(id, "go");
  const { lastSeq } = await world.conversations.get(id);

  for (const afterSeq of [0, 1, 499, 1_500, lastSeq - 1]) {
    const seen: TurnEvent[] = [];
    for await (const event of world.conversations.follow(id, { afterSeq })) {
      seen.push(event);
      if (event.seq === lastSeq) break;
    }
    expect(seen).toEqual(live.slice(afterSeq));
  }
});

test("follow goes on when its conversation was idle while many others were used", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  await world.turn(id, "one");
  const { lastSeq } = await world.conversations.get(id);
  const follower = world.conversations.follow(id, { afterSeq: 0 })[Symbol.asyncIterator]();
  await follower.next(); // It is busy with its first event, and waits for nothing.
  for (let count = 0; count < 505; count += 1) await world.conversations.create({});
  const { turnId } = await world.conversations.send(id, { input: "two" });

  const seen: TurnEvent[] = [];
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 500));
  for (;;) {
    const next = await Promise.race([follower.next(), late]);
    if (next === undefined || next.done === true) break;
    seen.push(next.value);
    if (next.value.type === "turn-end" && next.value.turnId === turnId) break;
  }
  expect(seen.at(-1)).toMatchObject({ type: "turn-end", turnId });
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 2));
  expect(seen.length).toBeGreaterThan(lastSeq - 1);
});

test("unload interrupts running turns although somebody asks for an unknown conversation meanwhile", async () => {
  const world = await createWorld();
  const { id } = await world.conversations.create({});
  const unknown: ConversationId = (await (await createWorld()).conversations.create({})).id;
  world.scripts.push((request) => stall(request));
  const { turnId } = await world.conversations.send(id, { input: "one" });
  await until(world.conversations.follow(id, { afterSeq: 0 }), "text-delta");
  const following = collect(world.conversations.follow(id, { afterSeq: 0, turnId }));
  const asked = world.conversations.get(unknown).catch((error: unknown) => error);
  await world.kernel.unload("session-orchestrator");

  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 500));
  expect((await Promise.race([following, late]))?.at(-1)).toMatchObject({
    type: "turn-end",
    status: "interrupted",
  });
  expect(await asked).toMatchObject({ code: "CONVERSATION_UNKNOWN" });
});
