import { createTempFolder } from "@incipit/testkit";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { closeSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "./open-database.ts";
import { SqliteStorage } from "./sqlite-storage.ts";
import { syncToDisk } from "./sync-to-disk.ts";
import { createSqliteFolder, keysIn, set } from "./testing/sqlite-folder.ts";

function openBelow(folder: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // The descriptor of the listing itself.
    }
  });
}

class FailingDatabase extends Database {
  readonly failing = new Set<string>();

  override run(...args: Parameters<Database["run"]>): ReturnType<Database["run"]> {
    if (this.failing.has(args[0])) throw new Error(`EIO: ${args[0]}`);
    return super.run(...args);
  }

  override query: Database["query"] = (sql) => {
    if (this.failing.has(sql)) throw new Error(`EIO: ${sql}`);
    return super.query(sql);
  };
}

function openFailing(path: string): { readonly storage: SqliteStorage; readonly database: FailingDatabase } {
  openDatabase(path, { nowMs: 0 }).database.close();
  const database = new FailingDatabase(path, { readwrite: true, strict: true });
  return { database, storage: new SqliteStorage(database, { path, isChecked: true }) };
}

test.skipIf(process.platform !== "linux")("syncToDisk closes the file when the sync fails", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  await Bun.write(path, "data");

  const sync = (): void => {
    throw new Error("EIO: fsync");
  };
  expect(() => syncToDisk(path, sync)).toThrow("EIO: fsync");

  expect(openBelow(folder.path)).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "SqliteStorage.close leaves no file open when closing its log or the last checkpoint fails",
  async () => {
    for (const failing of ["PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA busy_timeout = 200"]) {
      await using folder = await createTempFolder();
      const { storage, database } = openFailing(join(folder.path, "data.db"));
      await storage.atomic([], [set("a")]);
      database.failing.add(failing);

      const failure = await storage.close().catch(String);

      expect(failure).toContain("EIO");
      expect(openBelow(folder.path)).toEqual([]);
    }
    await using world = await createSqliteFolder();
    const storage = world.openWith({ syncFile: async (file) => closeSync(file) });
    await storage.atomic([], [set("a")]);

    const failure = await storage.close().catch(String);

    expect(failure).toContain("EBADF"); // Its log is closed already.
    expect(openBelow(world.folder)).toEqual([]);
  },
);

test("[never-lost] SqliteStorage settles every write and continues when a rollback fails", async () => {
  await using folder = await createTempFolder();
  const { storage, database } = openFailing(join(folder.path, "data.db"));
  await using _ = storage;
  await storage.atomic([], [set("before")]);
  database.failing.add("COMMIT").add("ROLLBACK");

  const results = await Promise.allSettled(["a", "b", "c"].map((key) => storage.atomic([], [set(key)])));
  const after = await storage.atomic([], [set("after")]);

  // The first transaction is lost; each write is retried alone on a working connection.
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
  expect(after.kind).toBe("committed");
  expect(await keysIn(storage)).toEqual(["a", "after", "b", "before", "c"]);
});

test("[never-lost] SqliteStorage settles the writes of a group when one of their callbacks throws", async () => {
  await using folder = await createTempFolder();
  const { storage } = openFailing(join(folder.path, "data.db"));
  await using _ = storage;
  const onCommitted = (): void => {
    throw new Error("callback");
  };

  const results = await Promise.allSettled([
    storage.atomic([], [set("a")], { onCommitted }),
    storage.atomic([], [set("b")]),
  ]);

  expect(results).toEqual([
    { status: "rejected", reason: expect.objectContaining({ message: "callback" }) },
    { status: "fulfilled", value: { kind: "committed", version: expect.any(Number) } },
  ]);
  expect(await keysIn(storage)).toEqual(["a", "b"]);
});
