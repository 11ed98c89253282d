import type { PageQuery } from "@incipit/schema";
import type { Page } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { allPages, createWorld, fail, outcomeOf, say, stall, until } from "../testing/test-world.ts";

async function itemsOf<Item>(
  read: (page: PageQuery) => Promise<Page<Item>>,
  limit: number,
): Promise<readonly Item[]> {
  return (await allPages((cursor) => read({ limit, ...cursor }))).flatMap(({ items }) => items);
}

test("create rejects a profile named like an Object.prototype member", async () => {
  await using world = await createWorld();

  for (const profile of ["constructor", "toString", "__proto__"]) {
    const failure = await outcomeOf(world.conversations.create({ profile }));
    expect(failure).toMatchObject({ code: "PROFILE_UNKNOWN" });
  }
});

test("create rejects a relative cwd and an unknown model", async () => {
  await using world = await createWorld();

  const failures = await Promise.all(
    [{ cwd: "here" }, { model: "nobody/model" }, { model: "test" }].map((request) =>
      outcomeOf(world.conversations.create(request)),
    ),
  );
  expect(failures).toMatchObject([
    { code: "CWD_INVALID" },
    { code: "MODEL_UNKNOWN", message: expect.stringContaining('unknown provider "nobody"; known: "test"') },
    { code: "MODEL_UNKNOWN", message: expect.stringContaining("write PROVIDER/MODEL, such as test/") },
  ]);
});

test("messages, steps and list return each item once for any page size", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  for (let count = 0; count < 6; count += 1) await world.turn(id, `${count}`);
  for (let count = 0; count < 4; count += 1) await world.conversations.create({});

  for (const limit of [1, 2, 3, 5, 6, 12, 100]) {
    const messages = await itemsOf((page) => world.records.messages(id, page), limit);
    const steps = await itemsOf((page) => world.records.steps(id, page), limit);
    const conversations = await itemsOf((page) => world.conversations.list(page), limit);
    expect(messages.map(({ role }) => role)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? "user" : "assistant")),
    );
    expect([messages, steps, conversations].map((items) => new Set(items.map((item) => item.id)).size)).toEqual([
      12, 6, 5,
    ]);
    expect(conversations.map((item) => item.id)).toEqual(
      conversations
        .map((item) => item.id)
        .toSorted()
        .toReversed(),
    );
  }
});

test("messages with order newest reverse the default order for any page size", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  for (let count = 0; count < 6; count += 1) await world.turn(id, `${count}`);
  const { items } = await world.records.messages(id, { limit: 100 });

  for (const limit of [1, 2, 3, 5, 6, 12, 100])
    expect(await itemsOf((page) => world.records.messages(id, { ...page, order: "newest" }), limit)).toEqual(
      items.toReversed(),
    );
});

test("stop ends a turn that waits for a retry", async () => {
  await using world = await createWorld({ settings: { records: { keep_days: 0, keep_megabytes: 0 } } });
  const { id, turnId } = await world.begin("step-retry", () => fail("RATE_LIMITED", true, 30_000), {
    input: "one",
  });
  await world.conversations.stop(id);

  const events = await world.ended(id, turnId);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "cancelled" });
  expect(world.requests).toHaveLength(1);
  expect(world.clock.pending).toBe(0);
});

test("send does not wait over a minute to retry, and reports the vendor's delay", async () => {
  await using world = await createWorld();
  const { events } = await world.ask("one", () => fail("RATE_LIMITED", true, 3_600_000));

  const message = "It is RATE_LIMITED; try again in 60 minutes, or use another model now";
  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "RATE_LIMITED", message } });
  expect(world.requests).toHaveLength(1);
});

test("stop returns false when nothing is running", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});

  expect(await world.conversations.stop(id)).toBe(false);
});

test("send fails with the last error after max_attempts", async () => {
  await using world = await createWorld({ settings: { max_attempts: 3 } });
  const { id } = await world.conversations.create({});
  for (let count = 0; count < 5; count += 1) world.scripts.push(() => fail("OVERLOADED", true, 1_000));
  const { turnId } = await world.conversations.send(id, { input: "one" });
  const ended = world.ended(id, turnId);
  for (let count = 0; count < 20; count += 1) await world.clock.advance(1_000);

  expect((await ended).at(-1)).toMatchObject({ status: "failed", error: { code: "OVERLOADED" } });
  expect(world.requests).toHaveLength(3);
});

test("send fails a turn whose stream ends early, and keeps the partial reply", async () => {
  await using world = await createWorld();
  const { id, events } = await world.ask("one", async function* cut() {
    yield { type: "text-start", partId: "0" };
    yield { type: "text-delta", partId: "0", text: "half" };
  });

  expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "CUT_OFF" } });
  expect((await world.records.messages(id, { limit: 9 })).items.at(-1)?.parts).toEqual([
    { type: "text", text: "half" },
  ]);
});

test("compact rejects a short or just compacted conversation", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  const empty = await outcomeOf(world.conversations.compact(id));
  await world.turn(id, "one");
  world.scripts.push(() => say("summary"));
  await world.conversations.compact(id);
  const again = await outcomeOf(world.conversations.compact(id));

  expect([empty, again]).toMatchObject([{ code: "NOTHING_TO_COMPACT" }, { code: "NOTHING_TO_COMPACT" }]);
  expect((await world.conversations.get(id)).epoch).toBe(2);
});

test("compact changes nothing when the prompt's writes conflict", async () => {
  await using world = await createWorld({ prompts: ["old", "fresh"], hasPromptConflict: true });
  const { id } = await world.ask("one");
  const before = await world.records.messages(id, { limit: 9 });
  const failure = await outcomeOf(world.conversations.compact(id));
  await world.turn(id, "two");

  expect(failure).toMatchObject({ code: "STORAGE_FAILED" });
  expect((await world.conversations.get(id)).epoch).toBe(1);
  expect((await world.records.messages(id, { limit: 2 })).items).toEqual(before.items);
  expect(world.requests.at(-1)?.systemPrompt).toEqual(["old"]);
});

test("compact queued behind a turn calls no model after the service stops", async () => {
  const world = await createWorld();
  const { id } = await world.ask("one");
  await world.begin("text-delta", stall, { id, input: "two" });
  const compacting = outcomeOf(world.conversations.compact(id));
  await Promise.resolve();
  await world.kernel.unload("session-orchestrator");

  expect(await compacting).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(world.requests).toHaveLength(2);
});

test("stepRequest returns bodies that differ within a character, and the last attempt", async () => {
  await using world = await createWorld();
  const [a, b] = ["🎉", "🎊"];
  const { id } = await world.conversations.create({});
  await world.conversations.send(id, { input: "one", system: a });
  world.scripts.push(() => fail("OVERLOADED", true, 1_000));
  const { turnId } = await world.conversations.send(id, { input: "two", system: b });
  await until(world.conversations.follow(id, { afterSeq: 0 }), "step-retry");
  await world.clock.advance(1_000);
  await world.ended(id, turnId);
  await world.turn(id, "three");

  const { items } = await world.records.steps(id, { limit: 9 });
  const bodies = await Promise.all(items.map(async (step) => (await world.records.stepRequest(id, step.id)).body));
  const sent = world.requests.map(({ systemPrompt, messages }) =>
    JSON.stringify({ system: systemPrompt, messages }),
  );
  expect(bodies).toEqual(sent.filter((body, index) => body !== sent[index + 1]));
});

test("compact appends instructions to its request and records them in the step", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("one");
  await world.turn(id, "two");
  world.scripts.push(() => say("summary"));

  await world.conversations.compact(id, { instructions: "Keep the names of files" });

  const asked = world.requests.at(-1)?.messages.at(-1)?.parts;
  const steps = (await world.records.steps(id, { limit: 10 })).items;
  expect(asked).toEqual([{ type: "text", text: expect.stringContaining("Keep the names of files") }]);
  expect(steps.map(({ compactionInstructions }) => compactionInstructions)).toEqual([
    undefined,
    undefined,
    "Keep the names of files",
  ]);
});
