import { defineExtension, type Storage } from "@incipit/kernel";
import { createMemoryStorage, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { RequestedFiles } from "./requested-files.ts";

const day = 86_400_000;

interface AskedWorld extends AsyncDisposable {
  readonly asked: RequestedFiles;
  now: number;
  readonly count: () => Promise<number>;
}

async function startAsked(): Promise<AskedWorld> {
  let given: Storage | undefined;
  const driver = createMemoryStorage();
  const manifest = { id: "test.asked", version: "1.0.0", api: "^1", capabilities: { storage: true } } as const;
  const holder = defineExtension(manifest, (host) => {
    given = host.storage("media");
  });
  const started = await startExtension(holder, { storage: driver });
  if (given === undefined) throw new Error("It has no storage");
  const world: AskedWorld = {
    asked: new RequestedFiles(given, () => world.now),
    now: 0,
    count: async () => (await driver.list("test.asked/media", { prefix: "asked/" })).length,
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
  return world;
}

test("RequestedFiles keeps each path once, in order, up to the limit of a reply", async () => {
  await using world = await startAsked();
  const turn = { conversationId: "c", turnId: "t" };
  const paths = [...Array(12).keys()].map((number) => `${number}.txt`);

  const added = await Promise.all([...paths, ...paths].map((path) => world.asked.add(turn, path)));

  const { paths: kept } = await world.asked.of(turn);
  expect(new Set(kept).size).toBe(10);
  expect(kept).toHaveLength(10);
  expect(added.filter(Boolean)).toHaveLength(20);
});

test("RequestedFiles returns the files of a turn only to its conversation", async () => {
  await using world = await startAsked();
  await world.asked.add({ conversationId: "c", turnId: "t" }, "a.txt");

  expect(await world.asked.of({ conversationId: "c", turnId: "t" })).toMatchObject({ paths: ["a.txt"] });
  for (const other of [
    { conversationId: "d", turnId: "t" },
    { conversationId: "c", turnId: "u" },
  ])
    expect(await world.asked.of(other)).toEqual({ paths: [], taken: undefined });
});

test("RequestedFiles deletes unclaimed files after 30 days", async () => {
  await using world = await startAsked();
  const turnAt = (ms: number): string => {
    world.now = ms;
    return Bun.randomUUIDv7("hex", ms);
  };
  for (const at of [1, 2, 20]) await world.asked.add({ conversationId: "c", turnId: turnAt(at * day) }, "a.txt");

  await world.asked.add({ conversationId: "c", turnId: turnAt(31 * day) }, "a.txt");
  const before = await world.count();
  await world.asked.add({ conversationId: "c", turnId: turnAt(33 * day) }, "a.txt");

  expect([before, await world.count()]).toEqual([4, 3]);
});
