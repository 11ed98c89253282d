import type { StorageDriver } from "@incipit/kernel";
import type { ConversationId, TurnEvent } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { recordKinds } from "../store/record-kinds.ts";
import { callOne, collect, createWorld, outcomeOf, stall, until, type World } from "../testing/test-world.ts";
import { conversationsNamespace, FullableStorage, hookedStorage, putStored } from "../testing/hooked-storage.ts";
import { newTool } from "../testing/new-tool.ts";

async function everything(storage: StorageDriver): Promise<string> {
  const found = await Promise.all(
    [conversationsNamespace, "test.prompts/prompts"].map((name) => storage.list(name, { limit: 1_000 })),
  );
  return JSON.stringify(found);
}

const askedTool = newTool("write");

async function liveALife(world: World): Promise<ConversationId> {
  const { id } = await world.conversations.create({ title: "secret" });
  world.scripts.push(callOne("write", "{}", "c1"));
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "secret" }, { idempotencyKey: "key" });
  await until(world.conversations.follow(id, { afterSeq }), "approval-request");
  const { approvals } = await world.conversations.get(id);
  for (const { approvalId } of approvals)
    await world.approvals.answerApproval(id, approvalId, { decision: "allow-always" });
  await collect(world.conversations.follow(id, { afterSeq, turnId }));
  await world.turn(id, "secret again");
  await world.conversations.compact(id);
  await world.turn(id, "secret after all");
  return id;
}

async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (ServiceError.is(error) ? error.code : String(error)),
  );
}

async function microtasks(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await Promise.resolve();
}

test("delete removes all data of a conversation and none of others", async () => {
  await using world = await createWorld({ tools: [askedTool], prompts: ["p", "p", "p", "p"] });
  const other = await world.conversations.create({});
  await world.turn(other.id, "kept");
  const before = await everything(world.storage);
  const id = await liveALife(world);
  const kinds = new Set(
    (await world.storage.list(conversationsNamespace, { limit: 1_000 })).map(({ key }) => key.split(":")[0]),
  );
  expect(kinds.size).toBeGreaterThan(7);

  await world.conversations.delete(id);

  const after = await everything(world.storage);
  expect(after).not.toContain(id);
  expect(after.replaceAll(/\{"key":"tool-list:[^}]*\},?/g, "")).not.toContain("secret");
  for (const { key } of JSON.parse(before).flat()) expect(after).toContain(key);
  expect((await world.turn(other.id, "on")).at(-1)).toMatchObject({ status: "completed" });
});

test("recordKinds contains every kind of conversation key", async () => {
  const source = await Bun.file(join(import.meta.dir, "../store/stored.ts")).text();
  const kinds = new Set([...source.matchAll(/`([a-z-]+):\$\{id\}/g)].map(([, kind = ""]) => kind));
  expect(kinds.size).toBeGreaterThan(10);

  const apart = new Set(["audit", "conversation", "deleting", "unfinished"]);
  expect([...kinds].filter((kind) => !apart.has(kind) && !recordKinds.includes(kind))).toEqual([]);
});

test("a deleted conversation is unknown to every operation, including delete", async () => {
  await using world = await createWorld({ prompts: [] });
  const { id } = await world.ask("one");
  await world.conversations.delete(id);
  await using later = await createWorld({ storage: world.storage, prompts: [] });

  for (const { conversations, records } of [world, later]) {
    const refusals = await Promise.all(
      [
        conversations.get(id),
        conversations.update(id, { title: "x" }),
        records.messages(id, { limit: 1 }),
        records.steps(id, { limit: 1 }),
        conversations.send(id, { input: "x" }),
        conversations.queue(id),
        conversations.stop(id),
        conversations.compact(id),
        conversations.fork(id, {}),
        collect(conversations.follow(id, { afterSeq: 0 })),
        conversations.delete(id),
      ].map(refusalOf),
    );
    expect(refusals).toEqual(refusals.map(() => "CONVERSATION_UNKNOWN"));
    expect((await conversations.list({ limit: 10, archived: "all" })).items).toEqual([]);
  }
});

test("delete stops the running turn, ends queued ones, then closes followers", async () => {
  await using world = await createWorld({ prompts: [] });
  const { id } = await world.conversations.create({});
  world.scripts.push(stall);
  const running = await world.conversations.send(id, { input: "one" });
  const seen: TurnEvent[] = [];
  const followed = (async () => {
    for await (const event of world.conversations.follow(id, { afterSeq: 0 })) seen.push(event);
  })();
  await until(world.conversations.follow(id, { afterSeq: 0 }), "text-delta");
  const queued = await world.conversations.send(id, { input: "two" });

  await Promise.all([world.conversations.delete(id), world.conversations.delete(id)]);
  await followed;

  const ends = seen.filter((event) => event.type === "turn-end");
  expect(new Map(ends.map((end) => [end.turnId, end.status]))).toEqual(
    new Map([
      [running.turnId, "cancelled"],
      [queued.turnId, "cancelled"],
    ]),
  );
  expect(ends).toHaveLength(2);
  expect(world.requests).toHaveLength(1);
  expect(await everything(world.storage)).not.toContain(id);
});

test("delete ends a pending approval and a compaction", async () => {
  await using world = await createWorld({ tools: [askedTool], prompts: [] });
  const asked = await world.conversations.create({});
  await world.begin("approval-request", callOne("write", "{}", "c1"), { id: asked.id, input: "one" });
  const compacted = await world.conversations.create({});
  await world.turn(compacted.id, "one");
  world.scripts.push(stall);
  const compaction = refusalOf(world.conversations.compact(compacted.id));
  while (world.requests.length < 3) await Promise.resolve();

  await Promise.all([asked, compacted].map(({ id }) => world.conversations.delete(id)));

  expect(await compaction).toBe("MODEL_FAILED");
  for (const { id } of [asked, compacted]) expect(await everything(world.storage)).not.toContain(id);
});

test("delete during a send, rename, fork or compaction leaves no data", async () => {
  await using world = await createWorld({ prompts: Array.from({ length: 1_000 }, () => "p") });
  const actions: readonly ((id: ConversationId) => Promise<unknown>)[] = [
    (id) => world.turn(id, "new"),
    (id) => world.conversations.send(id, { input: "new" }, { idempotencyKey: "key" }),
    async (id) => {
      world.scripts.push(stall);
      try {
        await world.conversations.send(id, { input: "new" });
      } finally {
        await microtasks(50);
        world.scripts.length = 0;
      }
    },
    (id) => world.conversations.update(id, { title: "new" }),
    (id) => world.conversations.compact(id),
    (id) => world.conversations.resume(id),
    async (id) => world.conversations.delete((await world.conversations.fork(id, {})).id),
  ];
  for (const [index, action] of actions.entries()) {
    for (let count = 0; count < 50; count += 1) {
      const { id } = await world.ask("one");
      const acted = refusalOf(action(id));
      await microtasks(count);
      await world.conversations.delete(id);
      const refusal = await acted;

      const isKnown = [undefined, "CONVERSATION_UNKNOWN", "MODEL_FAILED"].includes(refusal);
      expect({ index, count, refusal, isKnown }).toMatchObject({ isKnown: true });
      expect(await everything(world.storage)).not.toContain(id);
    }
  }
}, 300_000);

function failingAfter(memory: StorageDriver, commits: number): StorageDriver {
  let left = commits;
  const atomic = (): void => {
    if (left === 0) throw new Error("the process has ended");
    left -= 1;
  };
  return hookedStorage({ atomic }, memory);
}

test("delete interrupted at any commit has not started, or is finished by the next start", async () => {
  let commits = 0;
  for (let isDone = false; !isDone; commits += 1) {
    const memory = createMemoryStorage();
    let id: ConversationId;
    {
      await using world = await createWorld({ storage: memory, tools: [askedTool], prompts: ["p", "p", "p"] });
      id = await liveALife(world);
      for (let count = 0; count < 30; count += 1) await world.turn(id, "secret ".repeat(count));
    }
    {
      await using world = await createWorld({ storage: failingAfter(memory, commits), prompts: [] });
      isDone = (await refusalOf(world.conversations.delete(id))) === undefined;
    }
    await using world = await createWorld({ storage: memory, prompts: [] });
    const code = await refusalOf(world.conversations.get(id));

    if (code === undefined)
      expect(await world.turn(id, "on")).toContainEqual(expect.objectContaining({ status: "completed" }));
    else expect(await everything(memory)).not.toContain(id);
    expect({ commits, code }).toEqual({ commits, code: commits === 0 ? undefined : "CONVERSATION_UNKNOWN" });
  }
  expect(commits).toBeGreaterThan(9);
});

test("delete resumes an interrupted deletion", async () => {
  const memory = createMemoryStorage();
  await using world = await createWorld({ storage: memory, prompts: [] });
  const { id } = await world.ask("one");
  await using cut = await createWorld({ storage: failingAfter(memory, 1), prompts: [] });
  expect(await refusalOf(cut.conversations.delete(id))).toBe("STORAGE_FAILED");
  expect(await everything(memory)).toContain(id);
  await using next = await createWorld({ storage: failingAfter(memory, 0), prompts: [] });
  expect(await refusalOf(next.conversations.get(id))).toBe("CONVERSATION_UNKNOWN");

  await using last = await createWorld({ storage: memory, prompts: [] });
  expect(await everything(memory)).not.toContain(id);
  expect(await refusalOf(last.conversations.delete(id))).toBe("CONVERSATION_UNKNOWN");
});

test("delete that cannot start changes nothing", async () => {
  const full = new FullableStorage();
  await using world = await createWorld({ storage: full.driver, prompts: [] });
  const { id } = await world.ask("one");
  full.isFull = true;
  const refusal = await refusalOf(world.conversations.delete(id));
  full.isFull = false;

  expect(refusal).toBe("STORAGE_FAILED");
  expect((await world.turn(id, "two")).at(-1)).toMatchObject({ status: "completed" });
  expect((await world.records.messages(id, { limit: 10 })).items).toHaveLength(4);
});

test("fork is rejected when its conversation is deleted concurrently", async () => {
  const gate = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  let gated = "";
  const storage = hookedStorage({
    list: async (range) => {
      if (gated !== "" && range.start?.startsWith(gated) === true) {
        gated = "";
        reading.resolve();
        await gate.promise;
      }
    },
  });
  await using world = await createWorld({ storage, prompts: [] });
  const { id } = await world.ask("one");
  gated = `message:${id}:`;
  const fork = refusalOf(world.conversations.fork(id, {}));
  await reading.promise;
  await world.conversations.delete(id);
  gate.resolve();

  expect(await fork).toBe("CONVERSATION_UNKNOWN");
  expect((await world.conversations.list({ limit: 10 })).items).toEqual([]);
});

test("delete times out without changes when running work does not end", async () => {
  const full = new FullableStorage();
  await using world = await createWorld({ storage: full.driver, prompts: [] });
  const { id } = await world.begin("text-delta", stall, { input: "one" });
  full.isFull = true;
  const refusal = refusalOf(world.conversations.delete(id));
  await microtasks(10);
  expect(await refusalOf(world.conversations.send(id, { input: "meanwhile" }))).toBe("CONVERSATION_UNKNOWN");
  await world.clock.advanceUntil(refusal);
  full.isFull = false;

  expect(await refusal).toBe("TIMEOUT");
  const next = world.turn(id, "two");
  await world.clock.advanceUntil(next);
  expect((await next).at(-1)).toMatchObject({ status: "completed" });
});

test("delete removes an unreadable conversation and its interrupted turn", async () => {
  await using world = await createWorld({ prompts: [] });
  const { id } = await world.ask("one");
  for (const key of [`conversation:${id}`, `message:${id}:000000000000`]) await putStored(world.storage, key, 7);
  const active = { conversationId: id, turnId: "t", state: "running", request: { input: "one" } };
  await putStored(world.storage, "active:t", active);
  await using later = await createWorld({ storage: world.storage, prompts: [] });
  expect(await refusalOf(later.conversations.get(id))).toBe("STORED_DATA_DAMAGED");

  await later.conversations.delete(id);

  expect(await everything(world.storage)).not.toContain(id);
});

test("delete closes a slow follower without a gap in its events", async () => {
  await using world = await createWorld({ prompts: [] });
  // Followers read 64 events at a time, so later ones are read during the deletion.
  for (const deletedAt of [1, 20, 40, 50, 60]) {
    const { id } = await world.conversations.create({});
    for (let count = 0; count < 200; count += 1) await world.turn(id, "many");
    const seen: number[] = [];
    let deleted: Promise<void> | undefined;
    for await (const { seq } of world.conversations.follow(id, { afterSeq: 0 })) {
      seen.push(seq);
      if (seq === deletedAt) deleted = world.conversations.delete(id);
    }
    await deleted;

    expect(seen.length).toBeGreaterThanOrEqual(64);
    expect(seen.length).toBeLessThan(1_000);
    expect(seen).toEqual(seen.map((_, index) => index + 1));
  }
});

test("delete without a prompt builder leaves the prompt to a later start with one", async () => {
  const storage = createMemoryStorage();
  let id;
  {
    await using world = await createWorld({ storage, prompts: ["p"] });
    ({ id } = await world.conversations.create({}));
    await world.turn(id, "one");
  }
  {
    await using world = await createWorld({ storage });
    await world.conversations.delete(id);
    expect(await refusalOf(world.conversations.delete(id))).toBe("CONVERSATION_UNKNOWN");
    const left = JSON.parse(await everything(storage)).flat();
    expect(left.map(({ key }: { readonly key: string }) => key)).toContain(`deleting:${id}`);
  }
  {
    await using _ = await createWorld({ storage });
    expect(await everything(storage)).toContain(id);
  }
  await using _ = await createWorld({ storage, prompts: [] });

  expect(await everything(storage)).not.toContain(id);
});

test("concurrent deletes share one operation at any interleaving", async () => {
  await using world = await createWorld();
  for (let ticks = 0; ticks < 60; ticks += 2) {
    const { id } = await world.conversations.create({});
    let isOver = false;
    const first = world.conversations.delete(id).finally(() => (isOver = true));
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    const others = isOver ? [] : [world.conversations.delete(id)];

    const ended = await Promise.allSettled([first, ...others]);
    const refused = ended.filter(({ status }) => status === "rejected");
    expect({ ticks, refused }).toEqual({ ticks, refused: [] });
  }
});

test("delete during a host stop is rejected without changes, at any interleaving", async () => {
  let refusals = 0;
  for (let moment = 0; moment < 8; moment += 1) {
    const world = await createWorld({ scripts: [stall] });
    const { id } = await world.conversations.create({});
    const { id: other } = await world.conversations.create({});
    const { afterSeq } = await world.conversations.send(id, { input: "one" });
    await until(world.conversations.follow(id, { afterSeq }), "text-delta");
    const { conversations } = world;
    const closed = world[Symbol.asyncDispose]();
    for (let count = 0; count < moment; count += 1) await Promise.resolve();
    const outcome = await outcomeOf(Promise.try(() => conversations.delete(other)));
    await closed;
    await using after = await createWorld({ storage: world.storage });

    const left = await after.conversations.get(other).catch(() => undefined);
    if (outcome === undefined) expect(left).toBeUndefined();
    // Deletions that had started report that they resume after the restart.
    if (!(ServiceError.is(outcome) && outcome.message.includes("delete it again"))) continue;
    expect(outcome.code).toBe("SERVICE_UNAVAILABLE");
    expect(left?.id).toBe(other);
    refusals += 1;
  }

  expect(refusals).toBeGreaterThan(0);
});

test("a conversation being deleted rejects work until the deletion is reverted", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  await world.conversations.update(id, { deleted: true });

  const refused = await Promise.allSettled([
    world.conversations.send(id, { input: "two" }),
    world.conversations.send(id, { input: "two" }, { idempotencyKey: "key" }),
    world.approvals.sendAllowing(id, { input: "two" }, { allow: [] }),
    world.conversations.compact(id),
    world.conversations.fork(id, {}),
    world.conversations.resume(id),
  ]);
  const { lastSeq } = await world.conversations.get(id);
  await world.conversations.update(id, { deleted: false });
  const events = await world.turn(id, "three");

  for (const one of refused)
    expect(one).toMatchObject({ status: "rejected", reason: { code: "CONVERSATION_UNKNOWN" } });
  expect(events[0]).toMatchObject({ type: "turn-start", seq: lastSeq + 1 });
  expect(world.requests).toHaveLength(2);
});
