import type { NamespacedWrite } from "@incipit/kernel";
import type { ConversationId, ModelMessage, TurnEvent } from "@incipit/schema";
import { numberProblems } from "@incipit/testkit";
import { expect, test } from "bun:test";
import {
  allPages,
  call,
  callOne,
  collect,
  createWorld,
  outcomeOf,
  say,
  until,
  untilStored,
} from "../testing/test-world.ts";
import { FullableStorage, hookedStorage } from "../testing/hooked-storage.ts";

function isEvent(type: TurnEvent["type"]): (write: NamespacedWrite) => boolean {
  return (write) => write.kind === "set" && JSON.stringify(write.value).startsWith(`{"type":"${type}"`);
}

function unpaired(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ parts }, index) => {
    const results = messages[index + 1]?.parts ?? [];
    return parts.flatMap((part) =>
      part.type === "tool-call" &&
      !results.some((result) => result.type === "tool-result" && result.toolCallId === part.toolCallId)
        ? [part.toolCallId]
        : [],
    );
  });
}

test("send stores a result for every tool call after a failed commit of a result", async () => {
  const storage = new FullableStorage();
  await using world = await createWorld({ storage: storage.driver });
  const { id } = await world.conversations.create({});
  world.scripts.push(() =>
    call({ toolCallId: "1", name: "nobody", input: "{}" }, { toolCallId: "2", name: "nobody", input: "{}" }),
  );
  storage.fail(isEvent("tool-call-end"), 1);
  const failed = await world.turn(id, "one");
  await world.turn(id, "two");

  expect(failed.at(-1)).toMatchObject({ type: "turn-end", status: "failed", error: { code: "STORAGE_FAILED" } });
  const { messages } = world.requests.at(-1) ?? { messages: [] };
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  expect(unpaired(messages)).toEqual([]);
});

test("stepRequest returns the request after one whose record failed to commit", async () => {
  const storage = new FullableStorage();
  await using world = await createWorld({ storage: storage.driver });
  const { id } = await world.ask("one");
  storage.fail(({ key }) => key.startsWith("wire:"), 1);
  const failed = await world.turn(id, "two");
  await world.turn(id, "three");

  expect(failed.at(-1)).toMatchObject({ type: "turn-end", status: "failed" });
  const { items } = await world.records.steps(id, { limit: 10 });
  const { messages } = world.requests.at(-1) ?? {};
  const last = await world.records.stepRequest(id, items.at(-1)?.id ?? "");
  expect(last.body).toBe(JSON.stringify({ system: [], messages }));
});

test("send runs queued turns in order once a turn's end can be stored again", async () => {
  const storage = new FullableStorage();
  await using world = await createWorld({ storage: storage.driver });
  const { id } = await world.conversations.create({});
  const released = Promise.withResolvers<void>();
  world.scripts.push(async function* waits() {
    await released.promise;
    yield* call({ toolCallId: "1", name: "nobody", input: "{}" });
  });
  const first = await world.conversations.send(id, { input: "one" });
  const second = await world.conversations.send(id, { input: "two" });
  await until(world.conversations.follow(id, { afterSeq: 0 }), "step-start");
  const following = world.ended(id, first.turnId);
  const abandoned = Promise.withResolvers<void>();
  storage.fail((write) => {
    if (isEvent("turn-end")(write)) abandoned.resolve();
    return true;
  });
  released.resolve();
  await abandoned.promise;
  await world.clock.advance(10);
  const refused = await outcomeOf(world.conversations.send(id, { input: "refused" }));
  storage.isFull = false;
  await world.clock.advance(60_000);

  const third = await world.conversations.send(id, { input: "three" });
  await world.ended(id, second.turnId);
  await world.ended(id, third.turnId);
  const events = await world.events(id);
  expect(refused).toMatchObject({ code: "STORAGE_FAILED" });
  expect(numberProblems(events)).toEqual([]);
  expect(events.flatMap((event) => (event.type === "turn-end" ? [[event.turnId, event.status]] : []))).toEqual([
    [first.turnId, "interrupted"],
    [second.turnId, "completed"],
    [third.turnId, "completed"],
  ]);
  expect((await following).at(-1)).toMatchObject({ type: "turn-end", status: "interrupted" });
  expect(unpaired(world.requests.at(-1)?.messages ?? [])).toEqual([]);
});

test("send leaves no tool call without a result when the reply fails to commit", async () => {
  const storage = new FullableStorage();
  await using world = await createWorld({ storage: storage.driver });
  const { id } = await world.conversations.create({});
  world.scripts.push(async function* calls() {
    yield { type: "text-delta", partId: "0", text: "I look" };
    await untilStored();
    yield* call({ toolCallId: "1", name: "nobody", input: "{}" });
  });
  storage.fail(isEvent("step-end"), 1);
  const failed = await world.turn(id, "one");
  await world.turn(id, "two");

  expect(failed.at(-1)).toMatchObject({ type: "turn-end", status: "failed", error: { code: "STORAGE_FAILED" } });
  const { messages } = world.requests.at(-1) ?? { messages: [] };
  expect(unpaired(messages)).toEqual([]);
  expect(messages.map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))).toEqual([
    ["one"],
    ["I look"],
    ["two"],
  ]);
  const { items } = await world.records.steps(id, { limit: 1 });
  expect(items[0]).toMatchObject({ error: { code: "STORAGE_FAILED" } });
  expect(numberProblems(await world.events(id))).toEqual([]);
});

test("send keeps a queued turn, removable, until its start can be stored", async () => {
  const storage = new FullableStorage();
  await using world = await createWorld({ storage: storage.driver });
  const { id } = await world.conversations.create({});
  const released = Promise.withResolvers<void>();
  world.scripts.push(async function* waits() {
    await released.promise;
    yield* say("done");
  });
  const first = await world.conversations.send(id, { input: "one" });
  const second = await world.conversations.send(id, { input: "two" });
  const third = await world.conversations.send(id, { input: "three" });
  const refused = Promise.withResolvers<void>();
  storage.fail((write) => {
    if (isEvent("turn-start")(write)) refused.resolve();
    return isEvent("turn-start")(write);
  });
  released.resolve();
  await refused.promise;
  await world.ended(id, first.turnId);
  await new Promise((resolve) => setImmediate(resolve));

  const queue = await world.conversations.queue(id);
  await world.conversations.removeQueued(id, second.turnId);
  storage.isFull = false;
  await world.clock.advance(10_000);
  const events = await world.ended(id, third.turnId);

  expect(queue.map(({ turnId }) => turnId)).toEqual([second.turnId, third.turnId]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  const stored = await world.events(id);
  expect(stored.flatMap((event) => (event.type === "turn-end" ? [[event.turnId, event.status]] : []))).toEqual([
    [first.turnId, "completed"],
    [second.turnId, "cancelled"],
    [third.turnId, "completed"],
  ]);
  expect(numberProblems(stored)).toEqual([]);
});

test("fork copies no tool call without a result while its turn's end cannot be stored", async () => {
  const storage = new FullableStorage();
  await using world = await createWorld({ storage: storage.driver });
  const { id } = await world.conversations.create({});
  world.scripts.push(callOne("nobody"));
  let refusals = 0;
  const abandoned = Promise.withResolvers<void>();
  storage.fail((write) => {
    const isRefused = isEvent("turn-end")(write) || isEvent("tool-call-end")(write);
    if (isRefused) refusals += 1;
    if (refusals === 3) abandoned.resolve(); // The end of the call, and both attempts to store the end of the turn.
    return isRefused;
  });
  await world.conversations.send(id, { input: "one" });
  await abandoned.promise;
  await new Promise((resolve) => setImmediate(resolve));

  const refused = await outcomeOf(world.conversations.fork(id, {}));
  storage.isFull = false;
  await world.clock.advance(10_000);
  const fork = await world.conversations.fork(id, {});
  await world.turn(fork.id, "two");

  expect(refused).toMatchObject({ code: "FORK_POINT_INVALID" });
  expect(unpaired(world.requests.at(-1)?.messages ?? [])).toEqual([]);
});

test("list continues after a damaged record, and a damaged event does not hide its conversation", async () => {
  await using world = await createWorld();
  const create = async (): Promise<ConversationId> => (await world.conversations.create({})).id;
  const [a, b, c, d, e] = [await create(), await create(), await create(), await create(), await create()];
  await world.turn(a, "one");
  const { lastSeq } = await world.conversations.get(a);
  await world.kernel.close();
  const namespace = "session-orchestrator/conversations";
  const eventKey = `event:${a}:${String(lastSeq).padStart(12, "0")}`;
  await world.storage.atomic(
    [],
    [
      { kind: "set", namespace, key: `conversation:${d}`, value: "damaged" },
      { kind: "set", namespace, key: eventKey, value: "damaged" },
    ],
  );

  await using restarted = await createWorld({ storage: world.storage });
  const pages = await allPages((cursor) => restarted.conversations.list({ limit: 2, ...cursor }));
  const seen = pages.flatMap(({ items }) => items.map((item) => item.id));

  expect(seen).toEqual([e, c, b, a]);
});

for (const [what, refused] of [
  ["would merge deltas", ({ kind, key }) => kind === "delete" && key.startsWith("event:")],
  [
    "would store one more delta",
    (write) => write.kind === "set" && JSON.stringify(write.value).includes('"text":"4"'),
  ],
] as const satisfies readonly (readonly [string, (write: NamespacedWrite) => boolean])[]) {
  test(`a failing commit that ${what} leaves earlier ones unchanged`, async () => {
    const storage = new FullableStorage();
    const before = await createWorld({ storage: storage.driver });
    const { id } = await before.conversations.create({});
    storage.fail(refused, 1);
    before.scripts.push(async function* slow() {
      for (let count = 0; count < 5; count += 1) {
        yield { type: "text-delta", partId: "0", text: `${count}` };
        await untilStored();
      }
      yield* say();
    });
    const live = await before.turn(id, "go");
    await before.kernel.close();
    await using world = await createWorld({ storage: storage.driver });

    const stored = await world.events(id);

    expect(live.at(-1)).toMatchObject({ type: "turn-end", status: "failed" });
    expect(stored).toEqual([...live]);
    expect(stored.filter(({ type }) => type === "text-delta").length).toBeGreaterThanOrEqual(4);
    expect(numberProblems(stored)).toEqual([]);
  });
}

test("follow omits text that failed to commit, and yields each sequence number once", async () => {
  const storage = new FullableStorage();
  await using world = await createWorld({ storage: storage.driver });
  const { id } = await world.ask("one", async function* slow() {
    for (const text of ["kept ", "lost ", "never "]) {
      yield { type: "text-delta", partId: "0", text };
      await untilStored();
      storage.fail((write) => write.kind === "set" && JSON.stringify(write.value).includes('"lost "'), 1);
    }
  });
  await world.turn(id, "two");
  await using after = await createWorld({ storage: storage.driver });

  const events = await after.events(id);
  const texts = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  expect(numberProblems(events)).toEqual([]);
  expect(texts.join("")).toBe("kept Reply 2");
});

test("send rejects all messages that wait for a failed commit", async () => {
  const begun = Promise.withResolvers<void>();
  const refused = Promise.withResolvers<never>();
  let isFull = false;
  const storage = hookedStorage({
    atomic: () => {
      if (!isFull) return undefined;
      begun.resolve();
      return refused.promise;
    },
  });
  await using world = await createWorld({ storage });
  const { id } = await world.conversations.create({});
  isFull = true;
  const send = (input: string): Promise<unknown> => outcomeOf(world.conversations.send(id, { input }));
  const first = send("one");
  await begun.promise;
  const others = [send("two"), send("three")];
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  refused.reject(new Error("the disk is full"));

  const answers = await Promise.all([first, ...others]);
  isFull = false;
  const refusal = { code: "STORAGE_FAILED", message: expect.stringContaining("the disk is full") };
  expect(answers).toMatchObject(answers.map(() => refusal));
  expect((await world.turn(id, "four")).at(-1)).toMatchObject({ status: "completed" });
  expect(world.requests.map(({ messages }) => messages.length)).toEqual([1]);
  expect(numberProblems(await world.events(id))).toEqual([]);
});

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
