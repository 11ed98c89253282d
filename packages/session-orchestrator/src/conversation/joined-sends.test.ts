import { defineExtension, type Storage } from "@incipit/kernel";
import type { SendOptions } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { createWorld, outcomeOf, stall, type World, type WorldOptions } from "../testing/test-world.ts";
import { FullableStorage, hookedStorage } from "../testing/hooked-storage.ts";

const noteSchema = z.object({ turnId: z.string(), afterSeq: z.number() });

async function worldWithNotes(options: WorldOptions): Promise<{ readonly world: World; readonly notes: Storage }> {
  const world = await createWorld(options);
  const notes = Promise.withResolvers<Storage>();
  const extension = defineExtension(
    { id: "test.notes", version: "1.0.0", api: "^1", capabilities: { storage: true } },
    (host) => notes.resolve(host.storage("notes")),
  );
  await world.kernel.add([{ extension }]);
  return { world, notes: await notes.promise };
}

function note(notes: Storage, key: string): Required<SendOptions>["join"] {
  return (turn) => notes.batch([], [{ kind: "set", key, value: { ...turn } }]);
}

test("[never-lost] send commits joined writes with the acknowledged turn, started or queued", async () => {
  const commits: string[][] = [];
  const watched = hookedStorage({ atomic: (writes) => commits.push(writes.map(({ key }) => key)) });
  const { world, notes } = await worldWithNotes({ storage: watched });
  await using _ = world;
  const { id } = await world.conversations.create({});
  world.scripts.push(stall);

  const begun = await world.conversations.send(id, { input: "one" }, { join: note(notes, "begun") });
  const queued = await world.conversations.send(id, { input: "two" }, { join: note(notes, "queued") });

  const together = [begun, queued].map(({ turnId }) => commits.find((keys) => keys.includes(`active:${turnId}`)));
  expect(together).toEqual([expect.arrayContaining(["begun"]), expect.arrayContaining(["queued"])]);
  expect(await notes.get("begun", noteSchema)).toEqual(begun);
  expect(await notes.get("queued", noteSchema)).toEqual(queued);
});

test("send that fails to store discards joined writes", async () => {
  const full = new FullableStorage(({ key }) => key.startsWith("active:"));
  full.isFull = true;
  const { world, notes } = await worldWithNotes({ storage: full.driver });
  await using _ = world;
  const { id } = await world.conversations.create({});
  const join = note(notes, "note");

  const refused = await outcomeOf(world.conversations.send(id, { input: "one" }, { join }));
  const left = await notes.get("note", noteSchema);
  full.isFull = false;
  const sent = await world.conversations.send(id, { input: "two" }, { join });

  expect(refused).toMatchObject({ code: "STORAGE_FAILED" });
  expect(left).toBeUndefined();
  expect(await notes.get("note", noteSchema)).toEqual(sent);
});

test("a repeated send does not request joined writes again", async () => {
  const { world, notes } = await worldWithNotes({});
  await using _ = world;
  const { id } = await world.conversations.create({});
  const idempotencyKey = "key";
  const first = { idempotencyKey, join: note(notes, "first") };

  const sent = await world.conversations.send(id, { input: "one" }, first);
  const again = await world.conversations.send(
    id,
    { input: "one" },
    { idempotencyKey, join: note(notes, "again") },
  );

  expect(again).toEqual(sent);
  expect(await notes.get("first", noteSchema)).toEqual(sent);
  expect(await notes.get("again", noteSchema)).toBeUndefined();
});
