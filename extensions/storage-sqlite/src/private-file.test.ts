import { expect, test } from "bun:test";
import { chmod, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { backUp } from "./backups.ts";
import { openDatabase } from "./open-database.ts";
import { createSqliteFolder } from "./testing/sqlite-folder.ts";

const write = [{ kind: "set", namespace: "n", key: "k", value: "secret" }] as const;

async function modesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).toSorted();
  const modes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mode & 0o777));
  return Object.fromEntries(names.map((name, index) => [name, (modes[index] ?? 0).toString(8)]));
}

async function withUmask<Value>(umask: number, work: () => Promise<Value>): Promise<Value> {
  const before = process.umask(umask);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}

test("[attack:data-folder-database-mode] a database, its log and copies are readable only by the owner under any umask", async () => {
  await using world = await createSqliteFolder();
  const { folder, path } = world;

  await withUmask(0, async () => {
    const storage = world.open();
    await storage.atomic([], write);
    backUp(storage, { path, nowMs: 0 });
    const modes = await modesIn(folder);
    await storage.close();
    await writeFile(join(folder, "other"), "");
    expect(modes).toEqual({
      "data.db": "600",
      "data.db-shm": "600",
      "data.db-wal": "600",
      "data.db.backup-19700101T000000000Z": "600",
    });
    expect((await modesIn(folder))["other"]).toBe("666");
  });
});

test("[attack:data-folder-database-widened] opening a database restricts its file and log to the owner", async () => {
  await using world = await createSqliteFolder();
  const { folder, path } = world;
  const first = world.open();
  await first.atomic([], write);
  for (const part of ["", "-wal", "-shm"]) await chmod(`${path}${part}`, 0o644);
  const before = await modesIn(folder);

  const { database } = openDatabase(path, { nowMs: 0 });

  expect(before).toEqual({ "data.db": "644", "data.db-shm": "644", "data.db-wal": "644" });
  expect(await modesIn(folder)).toEqual({ "data.db": "600", "data.db-shm": "600", "data.db-wal": "600" });
  database.close();
  await first.close();
});

test("[attack:data-folder-database-set-aside] a damaged database is set aside readable only by the owner", async () => {
  await using world = await createSqliteFolder();
  const { folder, path } = world;
  await withUmask(0, () => writeFile(path, "no database, but somebody's words"));
  const before = await modesIn(folder);

  const { database, setAside } = openDatabase(path, { nowMs: 0 });
  const modes = await modesIn(folder);
  database.close();

  expect(before).toEqual({ "data.db": "666" });
  expect(setAside?.path).toBe(`${path}.damaged-19700101T000000Z`);
  expect(new Set(Object.values(modes))).toEqual(new Set(["600"]));
});
