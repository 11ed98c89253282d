import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { mkdir, readlink, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { moveFile } from "./replace-file.ts";
import { createSqliteFolder, keysIn, set } from "./testing/sqlite-folder.ts";

test("SqliteStorage.eraseDeleted keeps the old file when the new one cannot replace it", async () => {
  await using world = await createSqliteFolder();
  const { path } = world;
  const synced: string[] = [];
  const storage = world.openWith({
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
  const again = world.open();
  expect(await keysIn(again)).toEqual(["a", "b"]);
});

test("[never-lost] SqliteStorage acknowledges nothing that a power loss would revert with the file's replacement", async () => {
  await using world = await createSqliteFolder();
  const storage = world.openWith({
    moveFile: (from, to) => {
      renameSync(from, to);
      throw new Error("EIO: i/o error, fsync");
    },
  });
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
  await using world = await createSqliteFolder();
  const { path } = world;
  const synced: string[] = [];
  const storage = world.openWith({
    moveFile: (from, to) => {
      moveFile(from, to);
      renameSync(to, `${to}.elsewhere`);
      mkdirSync(to);
    },
    syncFile: async (file) => void synced.push(await readlink(`/proc/self/fd/${file}`)),
  });
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
  await using world = await createSqliteFolder();
  const storage = world.open();
  const [first, second] = [storage.eraseDeleted(), storage.eraseDeleted()];

  await first;
  const between = storage.isErasureDue;
  await second;

  expect([between, storage.isErasureDue]).toEqual([true, false]);
});

test("SqliteStorage.eraseDeleted of a large file does not wait for readers", async () => {
  await using world = await createSqliteFolder();
  const { path } = world;
  const storage = world.openWith({ maxVacuumBytes: 0 });
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
  await using world = await createSqliteFolder();
  const { path } = world;
  const storage = world.open();
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
  const again = world.open();
  expect(again.isErasureDue).toBe(true);
  expect(await keysIn(again)).toEqual(["a"]);
});

test("SqliteStorage.eraseDeleted keeps a process with the old file open from writing to the new one", async () => {
  await using world = await createSqliteFolder();
  const { path } = world;
  const storage = world.open();
  const keys = Array.from({ length: 500 }, (_, index) => `k${index}`);
  await storage.atomic(
    [],
    keys.map((key) => set(key)),
  );
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
  expect(world.query("PRAGMA integrity_check")).toEqual([["ok"]]);
  expect(world.query("SELECT count(*) FROM entries")).toEqual([[500]]);
});
