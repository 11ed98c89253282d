import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { fdatasync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";
import { SqliteStorage } from "./sqlite-storage.ts";

const sync = promisify(fdatasync);
/** The unit that a disk writes atomically. */
const sectorBytes = 512;

async function bytesOf(path: string): Promise<Uint8Array> {
  return new Uint8Array(await Bun.file(path).arrayBuffer());
}

/** Writes since the last sync reach the disk in any order, or not at all. */
function afterPowerLoss(synced: Uint8Array, written: Uint8Array, isThere: (sector: number) => boolean): Uint8Array {
  const left = new Uint8Array(written.byteLength);
  left.set(synced.subarray(0, left.byteLength));
  for (let start = 0; start < written.byteLength; start += sectorBytes)
    if (isThere(start / sectorBytes)) left.set(written.subarray(start, start + sectorBytes), start);
  return left;
}

const commits = fc.array(fc.record({ isWaitedFor: fc.boolean(), size: fc.integer({ min: 1, max: 9_000 }) }), {
  minLength: 1,
  maxLength: 12,
});

test("[never-lost] after a power loss SqliteStorage has all acknowledged commits, and none without its predecessors", async () => {
  let lostCount = 0;
  const property = fc.asyncProperty(commits, fc.infiniteStream(fc.boolean()), async (asked, sectors) => {
    await using folder = await createTempFolder();
    const path = join(folder.path, "data.db");
    let synced: Uint8Array = new Uint8Array();
    const { database, isChecked } = openDatabase(path, { nowMs: 0 });
    const syncFile = async (file: number): Promise<void> => {
      const written = await bytesOf(`${path}-wal`);
      await sync(file);
      synced = written;
    };
    await using storage = new SqliteStorage(database, { path, isChecked, syncFile });
    const acknowledged: number[] = [];
    const pending = asked.map(async ({ isWaitedFor, size }, index) => {
      for (let turn = 0; turn < index; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const survives = isWaitedFor ? "machine" : "process";
      const write = {
        kind: "set",
        namespace: "n",
        key: `${index}`.padStart(2, "0"),
        value: "x".repeat(size),
      } as const;
      await storage.atomic([], [write], { survives });
      if (isWaitedFor) acknowledged.push(index);
    });
    await Promise.race(pending.slice(-1));
    const safe = [...acknowledged]; // More is acknowledged while the files are read.
    const [file, log] = [await bytesOf(path), await bytesOf(`${path}-wal`)];
    const after = join(folder.path, "after.db");
    await Bun.write(after, file);
    await Bun.write(
      `${after}-wal`,
      afterPowerLoss(synced, log, () => sectors.next().value === true),
    );
    await Promise.all(pending);

    const { storage: found, setAside } = openSqliteStorage(after);
    await using _ = found;
    const there = (await found.list("n", {})).map(({ key }) => Number(key));

    expect(setAside).toBeUndefined();
    expect(there).toEqual(there.map((_key, index) => index));
    for (const index of safe) expect(there).toContain(index);
    if (there.length < asked.length) lostCount += 1;
  });
  await fc.assert(property, { numRuns: 40 });
  expect(lostCount).toBeGreaterThan(0); // The simulation does lose writes.
});

test("[never-lost] SqliteStorage reports a commit immediately and acknowledges it after the sync", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  const disk = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { database, isChecked } = openDatabase(path, { nowMs: 0 });
  const syncFile = (): Promise<void> => {
    begun.resolve();
    return disk.promise;
  };
  await using storage = new SqliteStorage(database, { path, isChecked, syncFile });
  const told: string[] = [];
  const write = (key: string) => ({ kind: "set", namespace: "n", key, value: key }) as const;

  const stored = storage
    .atomic([], [write("a")], { onCommitted: () => told.push("committed") })
    .then(() => told.push("on disk"));
  await begun.promise;
  await storage.atomic([], [write("b")], { survives: "process" });
  told.push("another one");
  expect((await storage.get("n", "a"))?.value).toBe("a");
  disk.resolve();
  await stored;

  expect(told).toEqual(["committed", "another one", "on disk"]);
});

test("SqliteStorage acknowledges nothing after a failed sync and reports what to do", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "data.db");
  let syncs = 0;
  const { database, isChecked } = openDatabase(path, { nowMs: 0 });
  const syncFile = async (): Promise<void> => {
    syncs += 1;
    if (syncs === 1) throw new Error("EIO: i/o error, fdatasync");
  };
  await using storage = new SqliteStorage(database, { path, isChecked, syncFile });
  const write = { kind: "set", namespace: "n", key: "k", value: 1 } as const;
  const refusal = (): Promise<unknown> => storage.atomic([], [write]).catch((error: unknown) => error);

  const [first, second] = [await refusal(), await refusal()];

  for (const error of [first, second])
    expect(error).toMatchObject({
      code: "STORAGE_FAILED",
      message: expect.stringMatching(/EIO.*restart the host/),
    });
  expect(await storage.atomic([], [write], { survives: "process" })).toMatchObject({ kind: "committed" });
});
