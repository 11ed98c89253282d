import type { StorageDriver } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import { createMemoryStorage } from "@incipit/testkit";
import { modelCallsHandle, ServiceError } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { collect, createWorld, fail, outcomeOf, stall, until, type World } from "../testing/test-world.ts";
import { hookedStorage } from "../testing/hooked-storage.ts";

const namespace = "session-orchestrator/conversations";
const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);

function bodies(world: World): readonly string[] {
  return world.requests.map(({ systemPrompt: system, messages }) => JSON.stringify({ system, messages }));
}

async function readAll({ records }: World, id: ConversationId): Promise<readonly string[]> {
  const { items } = await records.steps(id, { limit: 1_000 });
  return Promise.all(
    items.map(({ id: stepId }) =>
      records.stepRequest(id, stepId).then(
        ({ body }) => body,
        (error: unknown) => (ServiceError.is(error) ? error.code : String(error)),
      ),
    ),
  );
}

function countOf(storage: StorageDriver, prefix: string): Promise<number> {
  return storage.list(namespace, { prefix, limit: 1_000 }).then(({ length }) => length);
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 200; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(world: World, ms: number): Promise<void> {
  for (const stepMs of [ms, 3_600_000, 1_000]) {
    await world.clock.advance(stepMs);
    await settle();
  }
}

test("records.keep_days deletes older requests and reports time and rule", async () => {
  await using world = await createWorld({
    startMs,
    prompts: ["Prompt"],
    settings: { records: { keep_days: 30 } },
  });
  const { id } = await world.conversations.create({});
  for (const input of ["one", "two", "three"]) await world.turn(id, input);
  await world.clock.advance(20 * dayMs);
  for (const input of ["four", "five"]) await world.turn(id, input);
  await settle();
  expect(await readAll(world, id)).toEqual(bodies(world));

  await pass(world, 10 * dayMs);

  const gone = "RECORD_DELETED";
  expect(await readAll(world, id)).toEqual([gone, gone, gone, ...bodies(world).slice(3)]);
  const [first] = (await world.records.steps(id, { limit: 1 })).items;
  const failure = await outcomeOf(world.records.stepRequest(id, first?.id ?? ""));
  expect(String(failure)).toContain("2026-01-31T");
  expect(String(failure)).toContain("[records] keep_days = 30");
  expect(first?.requestSha256).toMatch(/^[0-9a-f]{64}$/);
  expect(await countOf(world.storage, "told-system:")).toBe(1);

  await pass(world, 20 * dayMs);
  expect(await readAll(world, id)).toEqual([gone, gone, gone, gone, gone]);
  expect([await countOf(world.storage, "told-system:"), await countOf(world.storage, "record-age:")]).toEqual([
    0, 0,
  ]);

  await world.turn(id, "six");
  expect((await readAll(world, id)).at(-1)).toBe(bodies(world).at(-1) ?? "");
  expect(await countOf(world.storage, "told-system:")).toBe(1);
});

test("records.keep_megabytes deletes the oldest requests across conversations", async () => {
  const settings = { records: { keep_days: 0, keep_megabytes: 0.012 } };
  await using world = await createWorld({ startMs, settings });
  const ids: ConversationId[] = [];
  for (const letter of ["a", "b", "c", "d"]) {
    const { id } = await world.conversations.create({});
    ids.push(id);
    await world.turn(id, letter.repeat(5_000));
    await world.clock.advance(1_000);
  }
  const sent = bodies(world);

  await pass(world, 0);

  const read = await Promise.all(ids.map((id) => readAll(world, id)));
  expect(read.flat()).toEqual(["RECORD_DELETED", "RECORD_DELETED", sent[2] ?? "", sent[3] ?? ""]);
});

test("retention resumes after an interruption, with every request left readable", async () => {
  const whole = createMemoryStorage();
  let id: ConversationId | undefined;
  let sent: readonly string[] = [];
  {
    await using world = await createWorld({ storage: whole, startMs, prompts: ["Prompt"] });
    ({ id } = await world.conversations.create({}));
    for (const input of ["one", "two", "three"]) await world.turn(id, input);
    await world.clock.advance(20 * dayMs);
    await world.turn(id, "four");
    sent = bodies(world);
  }
  const entries = await whole.list(namespace, { limit: 1_000 });
  for (let commits = 0; commits < 12; commits += 1) {
    const storage = createMemoryStorage();
    await storage.atomic(
      [],
      entries.map(({ key, value }) => ({ kind: "set", namespace, key, value }) as const),
    );
    const options = { startMs: startMs + 31 * dayMs, settings: { records: { keep_days: 30 } } };
    {
      let left = commits;
      const atomic = (): void => {
        if ((left -= 1) < 0) throw new Error("killed");
      };
      const cut = hookedStorage({ atomic }, storage);
      await using world = await createWorld({ storage: cut, ...options });
      await settle();
      for (const [index, read] of (await readAll(world, id)).entries())
        expect([sent[index], "RECORD_DELETED"]).toContain(read);
      expect((await readAll(world, id))[3]).toBe(sent[3] ?? "");
    }
    await using world = await createWorld({ storage, ...options });
    await settle();
    expect(await readAll(world, id)).toEqual([...Array<string>(3).fill("RECORD_DELETED"), sent[3] ?? ""]);
  }
});

test("retention keeps a running conversation's newest request and skips deleted conversations", async () => {
  await using world = await createWorld({
    startMs,
    settings: { records: { keep_days: 1 }, idle_timeout_ms: 30 * dayMs },
  });
  const { id } = await world.ask("one");
  const { id: other } = await world.conversations.create({});
  await world.turn(other, "gone");
  const open = Promise.withResolvers<void>();
  world.scripts.push(async function* () {
    await open.promise;
    yield { type: "failure", error: { code: "FAILED", message: "Late", isRetryable: false } };
  });
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "two" });
  await settle();
  await world.conversations.delete(other);
  const sent = bodies(world);

  for (let days = 0; days < 3; days += 1) await pass(world, dayMs);
  expect(await readAll(world, id)).toEqual(["RECORD_DELETED", sent[2] ?? ""]);
  open.resolve();
  await until(world.conversations.follow(id, { afterSeq, turnId }), "turn-end");
  await settle();
  await pass(world, dayMs);
  expect(await readAll(world, id)).toEqual(["RECORD_DELETED", "RECORD_DELETED"]);
  expect(await countOf(world.storage, `wire:${other}`)).toBe(0);
});

test("retention retries in an hour, without a log entry, when nothing can be deleted", async () => {
  let looks = 0;
  const storage = hookedStorage({
    list: (range) => {
      if ((range.prefix ?? range.start ?? "").startsWith("record-age:")) looks += 1;
    },
  });
  const settings = { records: { keep_days: 1 }, idle_timeout_ms: 30 * dayMs };
  await using world = await createWorld({ storage, startMs, settings, scripts: [stall] });
  const { id } = await world.conversations.create({});
  const { afterSeq } = await world.conversations.send(id, { input: "one" });
  await until(world.conversations.follow(id, { afterSeq }), "text-delta");
  await pass(world, 2 * dayMs);
  looks = 0;

  await world.clock.advance(1_800_000);
  await settle();
  const soon = looks;
  await world.clock.advance(1_800_000);
  await settle();

  expect(soon).toBe(0);
  expect(looks).toBeGreaterThan(0);
  expect(world.logged).not.toContain("Recorded requests were deleted");
  await world.conversations.stop(id);
});

test("records.keep_days deletes stateless calls with their records", async () => {
  await using world = await createWorld({ startMs, settings: { records: { keep_days: 1 } } });
  const calls = world.service(modelCallsHandle);
  const call = async (text: string): Promise<void> => {
    const messages = [{ role: "user", parts: [{ type: "text", text }] }] as const;
    await collect(calls.call({ messages, tools: [] }, { signal: new AbortController().signal }));
  };
  await call("old");
  await pass(world, 20 * 3_600_000);
  await call("new");
  const [kept] = (await calls.list({ limit: 1 })).items;

  await pass(world, 5 * 3_600_000);

  expect((await calls.list({ limit: 10 })).items).toEqual(kept === undefined ? [] : [kept]);
  expect((await calls.request(kept?.id ?? "")).body).toBe(bodies(world)[1] ?? "");
  for (const prefix of ["call:", "call-prompt:", "wire:call:", "record-age:"])
    expect(await countOf(world.storage, prefix)).toBe(1);
});

test("a retried request stays readable after earlier ones are deleted", async () => {
  const settings = { records: { keep_days: 1, keep_megabytes: 0 } };
  await using world = await createWorld({ startMs, settings, prompts: ["Prompt ".repeat(200)] });
  const advance = async (ms: number): Promise<void> => {
    await world.clock.advance(ms);
    await settle();
  };
  await settle();
  const { id } = await world.ask("one");
  for (let hours = 0; hours < 24; hours += 1) await advance(3_600_000);
  await advance(3_590_000);
  const { turnId, afterSeq } = await world.begin("step-retry", () => fail("RATE_LIMITED", true, 60_000), {
    id,
    input: "two",
  });
  await settle();

  await advance(10_000);
  expect(await readAll(world, id)).toEqual(["RECORD_DELETED", bodies(world)[1] ?? ""]);
  await advance(50_000);
  await until(world.conversations.follow(id, { afterSeq, turnId }), "turn-end");

  expect(world.requests).toHaveLength(3);
  expect(await readAll(world, id)).toEqual(["RECORD_DELETED", bodies(world)[2] ?? ""]);
});
