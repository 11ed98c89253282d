import { expect, test } from "bun:test";
import * as z from "zod";
import { migrateStorage, type MigrateStorageOptions, type Migration } from "./migrate-storage.ts";
import { createStorageClient } from "./storage-client.ts";
import type { Storage } from "../contract/storage.ts";
import { memoryDriver } from "../testing/memory-driver.ts";
import { refusal } from "../testing/test-kernel.ts";

const manifest = { id: "acme.notes", version: "1.2.0" };

function newStorage(): Storage {
  const driver = memoryDriver();
  const { signal } = new AbortController();
  return createStorageClient("notes", {
    extension: manifest.id,
    grant: true,
    host: {},
    driver: () => driver,
    signal,
  });
}

async function contents(storage: Storage): Promise<Readonly<Record<string, unknown>>> {
  return Object.fromEntries((await storage.list({}, z.json())).map(({ key, value }) => [key, value]));
}

const shout: Migration = async (storage) =>
  (await storage.list({}, z.unknown()))
    .filter(({ key }) => key.startsWith("note:"))
    .map(({ key, value }) => ({
      kind: "set",
      key,
      value: `${String(value)}!`,
    }));

function migrate(storage: Storage, options: Partial<MigrateStorageOptions> = {}): Promise<void> {
  return migrateStorage(storage, { manifest, migrations: [shout, shout], ...options });
}

test("migrateStorage runs each migration of unversioned data once, after one backup", async () => {
  const storage = newStorage();
  await storage.set("note:1", "hello");
  let copies = 0;
  const backUp = async (): Promise<void> => {
    expect(await contents(storage)).toEqual({ "note:1": "hello" });
    copies += 1;
  };
  await migrate(storage, { backUp });
  await migrate(storage, { backUp });

  expect(await contents(storage)).toEqual({ "note:1": "hello!!", schema: { version: 3, writtenBy: "1.2.0" } });
  expect(copies).toBe(1);
});

test("migrateStorage continues from the stored version", async () => {
  const storage = newStorage();
  await storage.set("note:1", "hello");
  await migrate(storage, { migrations: [shout] });
  await migrate(storage);

  expect(await contents(storage)).toMatchObject({ "note:1": "hello!!", schema: { version: 3 } });
});

test("migrateStorage makes no backup for empty or unversioned namespaces", async () => {
  const [empty, first] = [newStorage(), newStorage()];
  await first.set("note:1", "hello");
  const backUp = (): Promise<void> => Promise.reject(new Error("there is nothing to copy"));
  await migrate(empty, { backUp });
  await migrate(first, { backUp, migrations: [] });

  expect(await contents(empty)).toEqual({ schema: { version: 3, writtenBy: "1.2.0" } });
  expect(await contents(first)).toEqual({ "note:1": "hello" });
});

test("migrateStorage rejects data of a newer version, names it, and changes nothing", async () => {
  const storage = newStorage();
  await storage.set("note:1", "hello");
  await storage.set("schema", { version: 4, writtenBy: "2.0.0" });
  const before = await contents(storage);
  const error = await refusal(migrate(storage));

  expect(error).toMatchObject({ code: "SCHEMA_NEWER", extension: "acme.notes" });
  expect(error.message).toContain("2.0.0 (schema 4), and this version supports schema 3");
  expect(await contents(storage)).toEqual(before);
});

const broken: Migration = () => Promise.reject(new Error("a note has no text"));
const conflicting: Migration = async (storage) => {
  await storage.set("schema", { version: 2, writtenBy: "somebody else" });
  return [{ kind: "set", key: "note:1", value: "lost" }];
};
const failures: readonly (readonly [string, Partial<MigrateStorageOptions>, unknown])[] = [
  ["no copy can be made", { backUp: () => Promise.reject(new Error("the disk is full")) }, undefined],
  ["the first migration fails", { migrations: [broken, shout] }, undefined],
  ["somebody else migrates it", { migrations: [conflicting] }, { version: 2, writtenBy: "somebody else" }],
];
for (const [name, options, left] of failures) {
  test(`migrateStorage changes nothing when ${name}`, async () => {
    const storage = newStorage();
    await storage.set("note:1", "hello");
    const error = await refusal(migrate(storage, options));

    expect(error).toMatchObject({ code: "MIGRATION_FAILED", extension: "acme.notes" });
    expect(await contents(storage)).toEqual({ "note:1": "hello", ...(left === undefined ? {} : { schema: left }) });
  });
}

test("migrateStorage keeps completed migrations after a failure, and resumes there", async () => {
  const storage = newStorage();
  await storage.set("note:1", "hello");
  await refusal(migrate(storage, { migrations: [shout, broken] }));
  const between = await contents(storage);
  await migrate(storage);

  expect(between).toMatchObject({ "note:1": "hello!", schema: { version: 2 } });
  expect(await contents(storage)).toMatchObject({ "note:1": "hello!!", schema: { version: 3 } });
});
