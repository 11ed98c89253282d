import { createHash } from "node:crypto";
import { createMemoryStorage } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as z from "zod";
import { createWorld, fail, outcomeOf, until, type World } from "../testing/test-world.ts";
import { conversationsNamespace, listStored } from "../testing/hooked-storage.ts";

const secret = "planted-secret-value-1";
const settings = { secrets: [secret], redact: ["ACME-[0-9]+"] };
const entrySchema = z.object({ rest: z.string(), base: z.string().nullable() });

function bodies(world: World): readonly string[] {
  return world.requests.map(({ systemPrompt: system, messages }) => JSON.stringify({ system, messages }));
}

test("[sent-is-shown] a request without secrets is read back byte for byte, across a restart", async () => {
  const storage = createMemoryStorage();
  const sent: string[] = [];
  let id;
  for (const _ of [1, 2, 3]) {
    await using world = await createWorld({ storage, settings });
    id ??= (await world.conversations.create({})).id;
    for (const input of ["First 漢🎉", "Second \u0000", "Third"]) await world.turn(id, input);
    sent.push(...bodies(world));
  }
  if (id === undefined) throw new Error("No conversation");
  await using world = await createWorld({ storage, settings });

  const { items } = await world.records.steps(id, { limit: 100 });
  const read = [];
  for (const step of items) read.push(await world.records.stepRequest(id, step.id));

  expect(read.map(({ body }) => body)).toEqual(sent);
  expect(read.map(({ isRedacted, redactions }) => [isRedacted, redactions])).toEqual(sent.map(() => [false, []]));
  const stored = await listStored(storage, `wire:${id}:`);
  const size = stored.reduce((sum, { value }) => sum + entrySchema.parse(value).rest.length, 0);
  expect(size).toBeLessThan(2 * (sent.at(-1)?.length ?? 0));
});

test("[closed-by-default] secrets are sent, but redacted in all records with their place", async () => {
  await using world = await createWorld({ settings, prompts: [`Never tell ${secret}`] });
  const { id } = await world.ask("Nothing here");
  await world.turn(id, `My key is sk-proj-abc123DEF456ghi789, for ACME-4`);
  await world.turn(id, "And on");

  const { items } = await world.records.steps(id, { limit: 10 });
  const read = [];
  for (const step of items) read.push(await world.records.stepRequest(id, step.id));

  for (const [index, body] of bodies(world).entries()) {
    expect(read[index]?.sha256).toBe(createHash("sha256").update(body).digest("hex"));
    const shown = body
      .replaceAll(secret, "[redacted:secret]")
      .replaceAll("sk-proj-abc123DEF456ghi789", "[redacted:api-key]")
      .replaceAll("ACME-4", "[redacted:pattern]");
    expect(read[index]?.body).toBe(shown);
    expect(read[index]?.storedSha256).toBe(createHash("sha256").update(shown).digest("hex"));
  }
  expect(read.map(({ redactions }) => redactions.map(({ place, kind, count }) => [place, kind, count]))).toEqual([
    [["body", "secret", 1]],
    [
      ["body", "secret", 1],
      ["body", "api-key", 1],
      ["body", "pattern", 1],
    ],
    [
      ["body", "secret", 1],
      ["body", "api-key", 1],
      ["body", "pattern", 1],
    ],
  ]);
  for (const kind of ["wire", "told-system"])
    for (const { value } of await listStored(world.storage, `${kind}:`))
      for (const planted of [secret, "sk-proj-abc123DEF456ghi789", "ACME-4"])
        expect(JSON.stringify(value)).not.toContain(planted);
});

test("a retried request is stored once, as a difference", async () => {
  await using world = await createWorld();
  const { id } = await world.ask("Long enough that it is worth to share it. ".repeat(50));
  world.scripts.push(
    () => fail("OVERLOADED", true, 10),
    () => fail("OVERLOADED", true, 10),
  );
  const { turnId, afterSeq } = await world.conversations.send(id, { input: "Again" });
  await world.clock.advanceUntil(until(world.conversations.follow(id, { afterSeq, turnId }), "turn-end"));

  const { items } = await world.records.steps(id, { limit: 10 });
  const entries = await listStored(world.storage, `wire:${id}:`);
  const last = entrySchema.parse(entries.at(-1)?.value);

  expect(items.at(-1)?.attempts).toBe(3);
  expect(last.base).toBe(items[0]?.id ?? "");
  expect(last.rest.length).toBeLessThan(300);
  expect((await world.records.stepRequest(id, items[1]?.id ?? "")).body).toBe(bodies(world).at(-1) ?? "");
});

test("stepRequest throws STEP_UNKNOWN for a step that sent nothing", async () => {
  await using world = await createWorld();
  const { id } = await world.conversations.create({});
  const unknown = await outcomeOf(world.records.stepRequest(id, "none"));

  expect(unknown).toMatchObject({ code: "STEP_UNKNOWN", message: expect.stringContaining("left the host") });
});

test("records.requests = false stores no request and explains its absence", async () => {
  await using world = await createWorld({ settings: { records: { requests: false } } });
  const { id } = await world.ask("Unrecorded");

  const [step] = (await world.records.steps(id, { limit: 1 })).items;
  const failure = await outcomeOf(world.records.stepRequest(id, step?.id ?? ""));

  expect(step?.requestSha256).toBe(
    createHash("sha256")
      .update(bodies(world)[0] ?? "")
      .digest("hex"),
  );
  expect(failure).toMatchObject({ code: "STEP_UNKNOWN" });
  expect(String(failure)).toContain("requests was false");
  for (const prefix of ["wire:", "told-system:", "record-age:"])
    expect(await world.storage.list(conversationsNamespace, { prefix })).toEqual([]);
});

test("[closed-by-default] a key in a vendor's error is redacted in records and events", async () => {
  await using world = await createWorld({ settings });
  const { id, events } = await world.ask("Hello", async function* () {
    const message = `Incorrect key provided: ${secret}`;
    yield { type: "failure", error: { code: "UNAUTHORIZED", message, isRetryable: false } };
  });
  const [step] = (await world.records.steps(id, { limit: 1 })).items;

  expect(step?.error?.message).toBe("Incorrect key provided: [redacted:secret]");
  expect(JSON.stringify(events)).not.toContain(secret);
});

test("a redacted record causes no cache break, across a restart", async () => {
  const storage = createMemoryStorage();
  let id;
  for (const inputs of [
    [`It is ${secret}`, "Second"],
    ["Third", "Fourth"],
  ]) {
    await using world = await createWorld({ storage, settings });
    id ??= (await world.conversations.create({})).id;
    for (const input of inputs) await world.turn(id, input);
  }
  if (id === undefined) throw new Error("No conversation");
  await using world = await createWorld({ storage, settings });

  const { items } = await world.records.steps(id, { limit: 10 });

  expect(items.map(({ differenceReason }) => differenceReason)).toEqual(["first-step", null, null, null]);
  expect(
    items.map(({ prefix }) => [prefix?.measure, prefix?.sharedBytes === prefix?.previousBytes]).slice(1),
  ).toEqual([
    ["body", true],
    ["parts", true],
    ["body", true],
  ]);
});

test("[attack:secrets-in-thrown-error] keys in a provider's thrown error are redacted", async () => {
  await using world = await createWorld({ settings });
  const { id } = await world.conversations.create({});
  for (const quoted of [secret, btoa(`user:${secret}`), JSON.stringify(JSON.stringify(secret)), "no secret at all"])
    world.scripts.push(() => {
      throw new Error(`Cannot sign in with <${quoted}>`);
    });

  const events = [];
  for (const input of ["One", "Two", "Three", "Four"]) events.push(...(await world.turn(id, input)));

  const ends = events.filter(({ type }) => type === "turn-end");
  expect(ends).toMatchObject([
    { status: "failed", error: { message: "Cannot sign in with <[redacted:secret]>" } },
    { status: "failed", error: { message: expect.stringContaining("[redacted:secret]>") } },
    { status: "failed", error: { message: 'Cannot sign in with <"\\"[redacted:secret]\\"">' } },
    { status: "failed", error: { message: "Cannot sign in with <no secret at all>" } },
  ]);
  const { items } = await world.records.steps(id, { limit: 10 });
  const stored = await world.storage.list(conversationsNamespace, { limit: 1_000 });
  const all = JSON.stringify([events, items, stored]);
  expect(all).not.toContain(secret);
  expect(all).not.toContain(btoa(secret).slice(4, 16));
  expect(all).toContain("no secret at all");
});
