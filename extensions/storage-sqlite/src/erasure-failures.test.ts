import { createTempFolder } from "@incipit/testkit";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { mkdir, readlink, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";
import { SqliteStorage, type SqliteStorageOptions } from "./sqlite-storage.ts";
import { moveFile } from "./replace-file.ts";

function open(path: string, options: Partial<SqliteStorageOptions> = {}): SqliteStorage {
  const { database, isChecked } = openDatabase(path, { nowMs: 0 });
  return new SqliteStorage(database, { path, isChecked, ...options });
}

const set = (key: string) => ({ kind: "set", namespace: "n", key, value: key }) as const;

async function keysIn(storage: SqliteStorage): Promise<readonly string[]> {
  return (await storage.list("n", {})).map(({ key }) => key);
}

test("SqliteStorage.eraseDeleted keeps the old file when the new one cannot replace it", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  const synced: string[] = [];
  const storage = open(path, {
    moveFile: () => {
      throw new Error("EIO: i/o error, rename");
    },
    syncFile: async (file) => void synced.push(await readlink(`/proc/self/fd/${file}`)),
  });
  await storage.atomic([], [set("a")]);

  const refused = await storage.eraseDeleted().catch((error: unknown) => error);
  await storage.atomic([], [set("b")]);

  expect(refused).toMatchObject({ code: "STORAGE_FAILED", message: expect.stringContaining("EIO") });
  expect(synced).toEqual([`${path}-wal`, `${path}-wal`]);
  expect(await keysIn(storage)).toEqual(["a", "b"]);
  expect(storage.isErasureDue).toBe(true);
  await storage.close();
  const again = openSqliteStorage(path);
  await using _ = again.storage;
  expect(await keysIn(again.storage)).toEqual(["a", "b"]);
});

test("[never-lost] SqliteStorage acknowledges nothing that a power loss would revert with the file's replacement", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  const storage = open(path, {
    moveFile: (from, to) => {
      renameSync(from, to);
      throw new Error("EIO: i/o error, fsync");
    },
  });
  await using _ = storage;
  await storage.atomic([], [set("a")]);

  const refused = await storage.eraseDeleted().catch((error: unknown) => error);
  const behind = await storage.atomic([], [set("b")]).catch((error: unknown) => error);

  expect(refused).toMatchObject({ code: "STORAGE_FAILED", message: expect.stringContaining("EIO") });
  expect(behind).toMatchObject({
    code: "STORAGE_FAILED",
    message: expect.stringMatching(/EIO.*restart the host/),
  });
  expect(await storage.atomic([], [set("c")], { survives: "process" })).toMatchObject({ kind: "committed" });
});

test("SqliteStorage reopens a rewritten file once possible and syncs its own log", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  const synced: string[] = [];
  const storage = open(path, {
    moveFile: (from, to) => {
      moveFile(from, to);
      renameSync(to, `${to}.elsewhere`);
      mkdirSync(to);
    },
    syncFile: async (file) => void synced.push(await readlink(`/proc/self/fd/${file}`)),
  });
  await using _ = storage;
  await storage.atomic([], [set("a")]);
  await storage.eraseDeleted();
  const refused = await Promise.allSettled([storage.get("n", "a"), storage.atomic([], [set("b")])]);
  await rm(path, { recursive: true });
  await rename(`${path}.elsewhere`, path);
  synced.length = 0;

  await storage.atomic([], [set("c")]);

  expect(refused).toMatchObject([
    { status: "rejected", reason: { code: "STORAGE_FAILED" } },
    { status: "rejected", reason: { code: "STORAGE_FAILED" } },
  ]);
  expect(await keysIn(storage)).toEqual(["a", "c"]);
  expect(synced).toEqual([`${path}-wal`]);
});

test("SqliteStorage.eraseDeleted requested during another run is still due after a kill", async () => {
  await using folder = await createTempFolder();
  const storage = open(join(folder.path, "data.db"));
  await using _ = storage;
  const [first, second] = [storage.eraseDeleted(), storage.eraseDeleted()];

  await first;
  const between = storage.isErasureDue;
  await second;

  expect([between, storage.isErasureDue]).toEqual([true, false]);
});

test("SqliteStorage.eraseDeleted of a large file does not wait for readers", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  const storage = open(path, { maxVacuumBytes: 0 });
  await using _ = storage;
  await storage.atomic([], [set("a")]);
  await storage.eraseDeleted();
  {
    using reader = new Database(path, { readonly: true });
    reader.run("BEGIN");
    reader.query("SELECT * FROM entries").all();
    const tookMs: number[] = [];
    for (const key of ["b", "c", "d"]) {
      await storage.atomic([], [set(key)]);
      const startMs = performance.now();
      await storage.eraseDeleted();
      tookMs.push(performance.now() - startMs);
    }

    expect(Math.min(...tookMs)).toBeLessThan(4_000); // SQLite itself would wait 5 s each time.
  }
});

test("SqliteStorage.close does not wait for readers and leaves the erasure to the next start", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  const storage = open(path);
  await storage.atomic([], [set("a")]);
  await mkdir(`${path}.fresh/in-the-way`, { recursive: true });
  await storage.eraseDeleted().catch(() => undefined);
  await rm(`${path}.fresh`, { recursive: true });
  using reader = new Database(path, { readonly: true });
  reader.run("BEGIN");
  reader.query("SELECT * FROM entries").all();
  const startMs = performance.now();

  await storage.close();
  const tookMs = performance.now() - startMs;

  expect(tookMs).toBeLessThan(4_000); // The kernel times out after that; SQLite itself would wait 5 s, more than once.
  reader.close();
  const again = openSqliteStorage(path);
  await using _ = again.storage;
  expect(again.storage.isErasureDue).toBe(true);
  expect(await keysIn(again.storage)).toEqual(["a"]);
});

test("SqliteStorage.eraseDeleted keeps a process with the old file open from writing to the new one", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  const storage = open(path);
  const keys = Array.from({ length: 500 }, (_, index) => `k${index}`);
  await storage.atomic([], keys.map(set));
  await storage.eraseDeleted(); // The next rewrite changes little, so the old file would match the new one's log.
  const other = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures/late-writer.ts"), path], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = other.stdout.getReader();
  await lines.read();
  await storage.atomic([], [{ kind: "delete", namespace: "n", key: "k0" }]);
  await storage.eraseDeleted();
  await storage.atomic([], [set("later")]);

  void other.stdin.write("go");
  await other.stdin.end();
  const { value } = await lines.read();
  await storage.close();

  expect(new TextDecoder().decode(value)).toMatch(/malformed|not a database/);
  using database = new Database(path);
  expect(database.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
  expect(database.query("SELECT count(*) FROM entries").values()).toEqual([[500]]);
});
