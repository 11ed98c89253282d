import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { createWorld, outcomeOf, stall } from "../testing/test-world.ts";
import { conversationsNamespace, FullableStorage, putStored } from "../testing/hooked-storage.ts";

test("update sets title and archived independently, across restarts", async () => {
  const storage = createMemoryStorage();
  let id;
  {
    await using world = await createWorld({ storage });
    ({ id } = await world.conversations.create({}));
    await world.clock.advance(1_000);
    const renamed = await world.conversations.update(id, { title: "Mine" });
    const archived = await world.conversations.update(id, { archived: true });

    expect(renamed).toMatchObject({ title: "Mine", archived: false, updatedAt: "2026-01-01T00:00:01.000Z" });
    expect(archived).toMatchObject({ title: "Mine", archived: true });
  }
  await using world = await createWorld({ storage });

  expect(await world.conversations.get(id)).toMatchObject({ title: "Mine", archived: true });
  expect(await world.conversations.update(id, { archived: false })).toMatchObject({ archived: false });
});

test("send derives a missing title from the first message; update with null restores it", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("Mend the parser\nplease");
  await world.turn(id, "Thanks");

  const byItself = await world.conversations.get(id);
  const given = await world.conversations.update(id, { title: "Parser" });
  const taken = await world.conversations.update(id, { title: null });

  expect([byItself.title, given.title, taken.title]).toEqual(["Mend the parser", "Parser", "Mend the parser"]);
});

test("send never replaces an explicit title", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({ title: "Given" });
  await world.turn(id, "Something else");

  expect((await world.conversations.get(id)).title).toBe("Given");
});

test("update with null before the first message lets it derive the title", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({ title: "Given" });

  expect(await world.conversations.update(id, { title: null })).toMatchObject({ title: null });
  await world.turn(id, "Hello");
  expect(await world.conversations.get(id)).toMatchObject({ title: "Hello" });
});

async function microtasks(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await Promise.resolve();
}

test("update during a turn's end keeps both changes, at any interleaving", async () => {
  await using world = await createWorld();
  for (let count = 0; count < 60; count += 1) {
    const { id } = await world.begin("text-delta", stall, { input: "one" });
    await world.clock.advance(1);
    const ended = world.conversations.stop(id);
    await microtasks(count);
    await world.conversations.update(id, { archived: true });
    await ended;

    const stored = await world.storage.get(conversationsNamespace, `conversation:${id}`);
    const updatedAt = new Date(world.clock.now()).toISOString();
    expect({ count, value: stored?.value }).toMatchObject({ count, value: { archived: true, updatedAt } });
    expect(await world.conversations.get(id)).toMatchObject({ archived: true, title: "one", status: "idle" });
  }
});

test("update during a first message or compaction keeps both changes, at any interleaving", async () => {
  await using world = await createWorld();
  for (let count = 0; count < 60; count += 1) {
    const { id } = await world.conversations.create({});
    const turn = world.turn(id, "one");
    await microtasks(count);
    await world.conversations.update(id, { archived: true });
    await turn;
    expect(await world.conversations.get(id)).toMatchObject({ archived: true, title: "one" });
    const compacted = world.conversations.compact(id);
    await microtasks(count);
    await world.conversations.update(id, { archived: false });
    await compacted;

    const stored = await world.storage.get(conversationsNamespace, `conversation:${id}`);
    const expected = { archived: false, title: "one", epoch: 2 };
    expect({ count, value: stored?.value }).toMatchObject({ count, value: expected });
  }
});

test("update that cannot be stored changes nothing, also not later", async () => {
  const full = new FullableStorage();
  await using world = await createWorld({ storage: full.driver });
  const { id } = await world.conversations.create({ title: "Old" });
  full.isFull = true;
  const refused = await Promise.allSettled([
    world.conversations.update(id, { title: "New" }),
    world.conversations.update(id, { archived: true }),
  ]);
  full.isFull = false;
  await world.turn(id, "Go on");

  expect(refused.map((outcome) => outcome.status === "rejected" && outcome.reason)).toMatchObject([
    { code: "STORAGE_FAILED" },
    { code: "STORAGE_FAILED" },
  ]);
  expect(await world.conversations.get(id)).toMatchObject({ title: "Old", archived: false });
});

test("get reads a record without archived as not archived", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  const stored = await world.storage.get(conversationsNamespace, `conversation:${id}`);
  const { archived: _, ...old } = Object(stored?.value);
  await putStored(world.storage, `conversation:${id}`, old);
  await using later = await createWorld({ storage: world.storage });

  expect(await later.conversations.get(id)).toMatchObject({ archived: false });
  expect((await later.conversations.list({ limit: 10 })).items).toMatchObject([{ id, archived: false }]);
});

test("update with title null restores a title derived from a file", async () => {
  await using world = await createWorld();
  const { id } = await world.ask([{ type: "file", mediaType: "text/plain", data: "AAAA", filename: "note.txt" }]);
  const { title } = await world.conversations.get(id);
  await world.conversations.update(id, { title: "Mine" });

  const updated = await world.conversations.update(id, { title: null });

  expect(title).toBe("[file: note.txt, text/plain, 3 bytes]");
  expect(updated.title).toBe(title);
});

test("update changes model and profile for the next turn and for list filters", async () => {
  await using world = await createWorld({
    defaults: { profiles: [{ name: "coder", model: "test/big" }, { name: "plain" }] },
  });
  const { conversations } = world;
  const { id } = await conversations.create({ model: "test/small" });
  const listed = async (model: string): Promise<number> =>
    (await conversations.list({ limit: 10, archived: "all", model })).items.length;

  expect(await conversations.update(id, { profile: "plain" })).toMatchObject({
    model: "test/small",
    profile: "plain",
  });
  expect(await conversations.update(id, { profile: "coder" })).toMatchObject({
    model: "test/big",
    profile: "coder",
  });
  await world.turn(id, "Hello");
  expect(world.requests.map(({ model }) => model)).toEqual(["big"]);
  expect([await listed("test/small"), await listed("test/big")]).toEqual([0, 1]);
  expect(await conversations.update(id, { profile: null, model: "test/small", archived: true })).toMatchObject({
    model: "test/small",
    profile: null,
  });
  expect([await listed("test/small"), await listed("test/big")]).toEqual([1, 0]);
});

test("update rejects an unknown model or profile, and unsupported system messages, without changes", async () => {
  await using world = await createWorld();
  const { conversations } = world;
  const before = await conversations.create({});
  const refused = async (request: Parameters<typeof conversations.update>[1]): Promise<unknown> =>
    outcomeOf(conversations.update(before.id, { title: "New", ...request }));

  expect(await refused({ model: "nobody/x" })).toMatchObject({ code: "MODEL_UNKNOWN" });
  expect(await refused({ profile: "nobody" })).toMatchObject({ code: "PROFILE_UNKNOWN" });
  expect(await refused({ system: "Be kind." })).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(await conversations.get(before.id)).toEqual(before);
});

test("update() and create() reject a reasoning effort that the model does not support", async () => {
  await using world = await createWorld({
    prices: async () => ({
      contextWindow: null,
      maxOutputTokens: null,
      prices: null,
      inputs: ["text"],
      reasoningEfforts: ["low", "high"],
      source: "the test",
    }),
  });
  const { id } = await world.conversations.create({ settings: { reasoningEffort: "low" } });

  const refusals = await Promise.all(
    [
      world.conversations.update(id, { settings: { reasoningEffort: "xhigh" } }),
      world.conversations.create({ settings: { reasoningEffort: "none" } }),
    ].map((change) => outcomeOf(change)),
  );
  const kept = await world.conversations.update(id, { settings: { reasoningEffort: "high" } });

  expect(refusals).toMatchObject([
    { code: "INVALID_REQUEST", message: '"test/model" has no reasoning effort "xhigh"; it has "low", "high"' },
    { code: "INVALID_REQUEST", message: '"test/model" has no reasoning effort "none"; it has "low", "high"' },
  ]);
  expect(kept.settings).toEqual({ reasoningEffort: "high" });
});
