import { storageConformance } from "@incipit/testkit";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdir, readdir, readlink, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { backUp } from "./backups.ts";
import { damagedFiles } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";
import type { StorageError } from "./storage-error.ts";
import type { SqliteStorage } from "./sqlite-storage.ts";
import { crash, createSqliteFolder, fill, keysIn, set } from "./testing/sqlite-folder.ts";

storageConformance("SQLite", {
  open: async () => {
    const world = await createSqliteFolder();
    return Object.assign(world.open(), { [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() });
  },
});

const beside = {
  clock: {
    now: () => Date.now(),
    setTimer: (callback: () => void) => {
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  },
  signal: new AbortController().signal,
};

test("[never-lost] SqliteStorage keeps acknowledged writes after SIGKILL, synced or not", async () => {
  await using world = await createSqliteFolder();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures/endless-writer.ts"), world.path], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    printed += decoder.decode(chunk, { stream: true });
    if (printed.split("\n").length > 200) child.kill("SIGKILL");
  }
  await child.exited;
  const acknowledged = printed.split("\n").slice(0, -1);

  const { storage, setAside } = openSqliteStorage(world.path);
  await using _ = storage;

  expect(setAside).toBeUndefined();
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);
  for (const key of acknowledged) expect((await storage.get("n", key))?.value).toBe(key);
});

test("SqliteStorage syncs only commits with a write that must survive the machine", async () => {
  await using world = await createSqliteFolder();
  let syncs = 0;
  const storage = world.openWith({ syncFile: async () => void (syncs += 1) });
  const counts: number[] = [];
  const commit = async (...all: readonly ("machine" | "process" | undefined)[]): Promise<void> => {
    const write = { kind: "set", namespace: "n", key: "k", value: 1 } as const;
    await Promise.all(
      all.map((survives) => storage.atomic([], [write], survives === undefined ? {} : { survives })),
    );
    counts.push(syncs);
  };

  await commit("process");
  await commit("process", "machine", "process");
  await commit("process");
  await commit(undefined);

  expect(counts).toEqual([0, 1, 1, 2]);
});

test("SqliteStorage commits concurrent writes in one transaction and judges each separately", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  const results = await Promise.all(
    Array.from({ length: 50 }, (_value, index) =>
      storage.atomic(index % 2 === 0 ? [] : [{ namespace: "n", key: "none", version: 7 }], [
        set(`k${index}`, index),
      ]),
    ),
  );

  expect(storage.transactionCount).toBe(1);
  expect(results.filter((result) => result.kind === "committed")).toHaveLength(25);
  expect(await storage.list("n", {})).toHaveLength(25);
});

test("SqliteStorage stores readable rows", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  await storage.atomic([], [set("k", { a: [1] })]);
  await storage.close();

  expect(world.query("SELECT namespace, key, value, version FROM entries")).toEqual([["n", "k", '{"a":[1]}', 1]]);
});

for (const [where, offset] of [
  ["header", 0],
  ["middle", 40_960],
] as const) {
  test(`openSqliteStorage sets a file with a damaged ${where} aside after a crash, byte for byte`, async () => {
    await using world = await createSqliteFolder({ rows: 1_000, isCrashed: true, damagedAt: offset });
    const bytes = await Bun.file(world.path).bytes();

    const opened = openSqliteStorage(world.path, { nowMs: Date.UTC(2026, 0, 2, 3, 4, 5) });
    await using _ = opened.storage;

    expect(opened.setAside?.path).toBe(`${world.path}.damaged-20260102T030405Z`);
    expect(damagedFiles(world.path)).toEqual([`${world.path}.damaged-20260102T030405Z`]);
    expect(await Bun.file(opened.setAside?.path ?? "").bytes()).toEqual(bytes);
    expect(await opened.storage.list("n", {})).toEqual([]);
  });
}

test("openSqliteStorage sets the log aside with its file, also while another process reads it", async () => {
  await using world = await createSqliteFolder({ rows: 1_000, isCrashed: true, damagedAt: 40_960 });
  using reader = new Database(world.path);
  reader.query("SELECT * FROM state").all();

  const { setAside } = await world.start();

  const aside = `data.db${setAside?.path.slice(world.path.length)}`;
  expect((await readdir(world.folder)).toSorted()).toEqual(["data.db", aside, `${aside}-shm`, `${aside}-wal`]);
});

test("openSqliteStorage reads small files completely after a crash", async () => {
  await using world = await createSqliteFolder({ rows: 1_000, isCrashed: true });

  const sizeBytes = (await stat(world.path)).size;
  const larger = await world.start({ maxCheckedBytes: sizeBytes - 1 });
  const fits = await world.start({ maxCheckedBytes: sizeBytes });

  expect([larger, fits].map(({ isChecked }) => isChecked)).toEqual([false, true]);
});

test("SqliteStorage clears the clean-shutdown mark with its first write and sets it on close", async () => {
  await using world = await createSqliteFolder();
  await world.start();
  const mark = (): unknown => world.query("SELECT value FROM state WHERE name = 'closed-cleanly'")[0]?.[0];
  const storage = world.open();

  const seen = [mark()];
  await fill(storage, 1);
  seen.push(mark());
  await storage.close();
  seen.push(mark());

  expect(seen).toEqual([1, 0, 1]);
});

test("SqliteStorage.check finds damage of a large file in the background; the next start sets it aside", async () => {
  await using world = await createSqliteFolder({ rows: 1_000, isCrashed: true, damagedAt: 40_960 });

  const { storage, isChecked, setAside } = openSqliteStorage(world.path, { maxCheckedBytes: 0 });
  await storage.check(beside);
  const { damage } = storage;
  await storage.close();
  const next = await world.start({ maxCheckedBytes: 0 });

  expect({ isChecked, setAside }).toEqual({ isChecked: false, setAside: undefined });
  expect(damage).toContain("malformed");
  expect(next.setAside?.reason).toContain("integrity check");
});

test.each([1, 64, 65, 1_000])(
  "SqliteStorage.check reads every row and detects invalid JSON in row %p",
  async (row) => {
    await using world = await createSqliteFolder({ rows: 1_000, isCrashed: true });
    const [key = ""] = world
      .query(`SELECT key FROM entries ORDER BY namespace, key LIMIT 1 OFFSET ${row - 1}`)
      .flat();
    world.run("UPDATE entries SET value = 'no JSON' WHERE key = ?", [String(key)]);

    const { storage } = openSqliteStorage(world.path, { maxCheckedBytes: 0 });
    await storage.check(beside);
    const { damage } = storage;
    await storage.close();

    expect(damage).toMatch(/^what is stored as "k\d+" is not JSON$/);
  },
);

test("SqliteStorage.check makes the next start quick only when completed", async () => {
  await using world = await createSqliteFolder({ rows: 1_000, isCrashed: true });
  const start = (): ReturnType<typeof openSqliteStorage> => openSqliteStorage(world.path, { maxCheckedBytes: 0 });

  const cut = start();
  const checking = cut.storage.check(beside);
  await cut.storage.close();
  await checking;
  const whole = start();
  await whole.storage.check(beside);
  await whole.storage.close();
  const last = await world.start({ maxCheckedBytes: 0 });

  expect([cut, whole, last].map(({ isChecked }) => isChecked)).toEqual([false, false, true]);
  expect([cut, whole].map(({ storage }) => storage.damage)).toEqual([undefined, undefined]);
});

async function killedCheck(path: string, options: { readonly boot: string }): Promise<void> {
  const { storage } = openSqliteStorage(path, { maxCheckedBytes: 0, ...options });
  let pauses = 0;
  const stop = new AbortController();
  const clock = {
    ...beside.clock,
    setTimer: (callback: () => void) => {
      pauses += 1;
      if (pauses === 110) stop.abort();
      setImmediate(callback);
      return () => {};
    },
  };
  await storage.check({ clock, signal: stop.signal });
  await storage.close();
}

test("SqliteStorage.check resumes an interrupted check, except after a reboot", async () => {
  await using world = await createSqliteFolder({ rows: 9_000, isCrashed: true });
  await killedCheck(world.path, { boot: "monday" });
  world.run(
    "UPDATE entries SET value = 'no JSON' WHERE key = (SELECT key FROM entries ORDER BY namespace, key LIMIT 1)",
  );

  const again = openSqliteStorage(world.path, { maxCheckedBytes: 0, boot: "monday" });
  await again.storage.check(beside);
  const later = await world.start({ maxCheckedBytes: 0, boot: "monday" });
  await again.storage.close();
  crash(world);
  const started = openSqliteStorage(world.path, { maxCheckedBytes: 0, boot: "tuesday" });
  await started.storage.check(beside);
  await world.start({ maxCheckedBytes: 0, boot: undefined });
  await started.storage.close();

  expect([again, later, started].map(({ isChecked }) => isChecked)).toEqual([false, true, false]);
  expect([again, started].map(({ storage }) => storage.damage !== undefined)).toEqual([false, true]);
});

test("SqliteStorage reports damage found by a read; the next start checks the whole file", async () => {
  await using world = await createSqliteFolder({ rows: 1_000, damagedAt: 40_960 });

  const { storage } = openSqliteStorage(world.path);
  const refused = await Promise.allSettled([storage.list("n", { limit: 1_000 })]);
  const { damage } = storage;
  await storage.close();
  const next = await world.start();

  expect(refused).toMatchObject([{ status: "rejected", reason: { code: "DAMAGED" } }]);
  expect(damage).toBeDefined();
  expect(next.setAside).toBeDefined();
});

test("SqliteStorage rejects a write that does not fit on the disk and continues", async () => {
  await using world = await createSqliteFolder();
  const failures: StorageError[] = [];
  const storage = world.open({ onWriteFailure: (failure) => failures.push(failure) });
  await fill(storage, 10);
  storage.limitPages(40);

  const tooBig = storage.atomic([], [set("big", "x".repeat(1_000_000))]).catch((error: unknown) => error);
  const small = storage.atomic([], [set("small", 1)]);

  expect(await tooBig).toMatchObject({ code: "DISK_FULL" });
  expect(await small).toMatchObject({ kind: "committed" });
  expect(failures).toMatchObject([{ code: "DISK_FULL" }]);
  expect(await storage.list("n", {})).toHaveLength(11);
});

test("SqliteStorage rolls back a partially failed write and continues", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  world.run(
    "CREATE TRIGGER refuse BEFORE INSERT ON entries WHEN new.key = 'refused' BEGIN SELECT RAISE(FAIL, 'refused'); END",
  );
  const written = [["a"], ["b", "refused"], ["c"]].map((keys) =>
    storage
      .atomic(
        [],
        keys.map((key) => set(key)),
      )
      .catch((error: unknown) => error),
  );

  const answers = await Promise.all(written);

  expect(answers).toMatchObject([{ kind: "committed" }, { code: "STORAGE_FAILED" }, { kind: "committed" }]);
  expect(await keysIn(storage)).toEqual(["a", "c"]);
});

test("SqliteStorage waits for other writers of the file", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  const other = Bun.spawn([process.execPath, join(import.meta.dir, "fixtures/lock-holder.ts"), world.path], {
    stdout: "pipe",
    stderr: "inherit",
  });
  await other.stdout.getReader().read();

  await fill(storage, 1);

  expect(await storage.list("n", {})).toHaveLength(1);
  expect(await other.exited).toBe(0);
});

test("SqliteStorage rejects unstorable keys, also for reads", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  for (const key of ["a\0b", "\u{D800}"]) {
    const set = storage.atomic([], [{ kind: "set", namespace: "n", key, value: 1 }]);
    const check = storage.atomic([{ namespace: "n", key, version: null }], []);
    const refused = await Promise.allSettled([
      set,
      check,
      storage.get("n", key),
      storage.list("n", { start: key }),
    ]);

    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => "rejected"));
  }
});

test("SqliteStorage.namespaces returns non-empty namespaces with a prefix once each", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  const places = ["acme.a/x", "acme.a/y", "acme.a/gone", "acme", "acme.ab/x", "b/x"];
  for (const namespace of places) {
    const set = (key: string) => ({ kind: "set", namespace, key, value: 1 }) as const;
    await storage.atomic([], [set("1"), set("2")]);
  }
  const remove = (key: string) => ({ kind: "delete", namespace: "acme.a/gone", key }) as const;
  await storage.atomic([], [remove("1"), remove("2")]);

  expect(await storage.namespaces("acme.a/")).toEqual(["acme.a/x", "acme.a/y"]);
  expect(await storage.namespaces("c")).toEqual([]);
});

test("SqliteStorage.watch delivers a change to a waiting watcher", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  const changes = storage.watch("n", "", new AbortController().signal)[Symbol.asyncIterator]();
  const waiting = changes.next();
  await Promise.resolve();

  await fill(storage, 1);

  expect(await waiting).toMatchObject({ done: false, value: { kind: "set", key: "k0" } });
  await changes.return?.();
});

test("SqliteStorage.endWatches ends each watch after its pending changes", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  const { signal } = new AbortController();
  const watching = [storage.watch("n", "", signal), storage.watch("n", "k1", signal)];
  await fill(storage, 2);

  storage.endWatches();
  const seen = await Promise.all(watching.map((changes) => Array.fromAsync(changes)));

  expect(seen.map((changes) => changes.map(({ key }) => key))).toEqual([["k0", "k1"], ["k1"]]);
});

test("backUp copies acknowledged data to an owner-only file and keeps the newest three", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  await fill(storage, 10);

  const copies = [1, 2, 3, 4].map((day) => backUp(storage, { path: world.path, nowMs: Date.UTC(2026, 0, day) }));
  await fill(storage, 20);

  const open = await Promise.all(
    (await readdir("/proc/self/fd").catch(() => [])).map((name) =>
      readlink(`/proc/self/fd/${name}`).catch(() => ""),
    ),
  );
  expect(open.filter((file) => copies.includes(file))).toEqual([]);
  const kept = (await readdir(world.folder)).filter((name) => name.includes("backup")).toSorted();
  expect(kept.map((name) => join(world.folder, name))).toEqual(copies.slice(1));
  const copy = copies.at(-1) ?? "";
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  const opened = openSqliteStorage(copy);
  await using copied = opened.storage;
  expect(opened.setAside).toBeUndefined();
  expect(await copied.list("n", {})).toHaveLength(10);
});

test("backUp rejects when the copy cannot be written and leaves the data unchanged", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  await fill(storage, 10);
  const gone = join(world.folder, "gone/data.db");

  expect(() => backUp(storage, { path: gone, nowMs: Date.UTC(2026, 0, 1) })).toThrow(
    expect.objectContaining({ name: "StorageError" }),
  );
  expect(await storage.list("n", {})).toHaveLength(10);
});

test("openSqliteStorage leaves no log behind after a clean end", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  await fill(storage, 10);

  await storage.close();

  expect(await readdir(world.folder)).toEqual(["data.db"]);
});

async function countIn(folder: string, text: string): Promise<number> {
  let count = 0;
  for (const name of await readdir(folder)) {
    const bytes = Buffer.from(await Bun.file(join(folder, name)).arrayBuffer());
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) count += 1;
  }
  return count;
}

/** Random sizes and order make pages split and merge. */
async function churn(storage: SqliteStorage): Promise<void> {
  const sizes = [30, 200, 1_000, 3_000, 9_000, 60_000];
  const doomed: string[] = [];
  for (let count = 0; count < 1_500; count += 1) {
    const owner = (count * 7_919) % 20;
    const key = `k:${owner}:${(count * 104_729) % 500}`;
    const text = owner % 2 === 0 ? "deleted-secret" : "kept-secret";
    const value = `${text} ${"x".repeat(sizes[count % sizes.length] ?? 0)} ${text}`;
    const stored = storage.atomic([], [{ kind: "set", namespace: "n", key, value }]);
    if (count % 20 === 0) await stored; // Those in between share its transaction.
    if (owner % 2 === 0) doomed.push(key);
  }
  await Promise.all(doomed.map((key) => storage.atomic([], [{ kind: "delete", namespace: "n", key }])));
}

test("SqliteStorage.eraseDeleted removes deleted rows from all files and keeps the others", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  await churn(storage);
  const before = await storage.list("n", { limit: 1_000 });

  await storage.eraseDeleted();

  expect(await countIn(world.folder, "deleted-secret")).toBe(0);
  expect(await countIn(world.folder, "kept-secret")).toBeGreaterThan(400);
  expect(await storage.list("n", { limit: 1_000 })).toEqual(before);
  await storage.atomic([], [set("later", 1)]);
  expect((await storage.get("n", "later"))?.value).toBe(1);
});

test("SqliteStorage.eraseDeleted defers the rest of a large file to close", async () => {
  await using world = await createSqliteFolder();
  const storage = world.openWith({ maxVacuumBytes: 0 });
  await churn(storage);
  await storage.eraseDeleted();
  const left = await countIn(world.folder, "deleted-secret");
  await storage.close();
  const closed = await countIn(world.folder, "deleted-secret");

  expect(left).toBeLessThan(50); // Deleted rows are overwritten; only copies left by SQLite's moves remain.
  expect(closed).toBe(0);
  expect(world.query("SELECT name, value FROM state ORDER BY name")).toEqual([
    ["closed-cleanly", 1],
    ["last-version", expect.any(Number)],
  ]);
});

test("SqliteStorage.eraseDeleted does not block concurrent reads, writes and deletes", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  // Large enough that the erasure overlaps with other work on any disk.
  await fill(storage, 100_000);
  await churn(storage);
  let isErased = false;
  let [read, written] = [0, 0];
  const expected = new Map<string, number>();

  const erased = storage.eraseDeleted().then(() => (isErased = true));
  for (let count = 0; !isErased; count += 1) {
    const key = `meanwhile:${count % 500}`;
    const isKept = count % 3 !== 0;
    const row = { namespace: "n", key };
    await storage.atomic([], [isKept ? { kind: "set", ...row, value: count } : { kind: "delete", ...row }]);
    if (!isErased) written += 1;
    if (isKept) expected.set(key, count);
    else expected.delete(key);
    if ((await storage.get("n", "k19999")) !== undefined && !isErased) read += 1;
  }
  await erased;
  await storage.atomic([], [set("meanwhile:later", -1)]);
  expected.set("meanwhile:later", -1);
  const open = await storage.list("n", { prefix: "meanwhile:", limit: 1_000 });
  await storage.close();

  const again = openSqliteStorage(world.path);
  await using _ = again.storage;
  const stored = await again.storage.list("n", { prefix: "meanwhile:", limit: 1_000 });
  expect(new Map(stored.map(({ key, value }) => [key, Number(value)]))).toEqual(
    new Map([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
  expect(stored).toEqual(open);
  expect(await again.storage.list("n", { start: "k", end: "l", limit: 1_000 })).toHaveLength(1_000);
  expect(Math.min(read, written)).toBeGreaterThan(10);
  expect(again.isChecked).toBe(true);
  expect((await stat(world.path)).mode & 0o777).toBe(0o600);
  expect(await countIn(world.folder, "deleted-secret")).toBe(0);
});

test("SqliteStorage.eraseDeleted also erases rows deleted while it ran", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  await fill(storage, 5_000);
  const first = storage.eraseDeleted();
  await churn(storage);

  await Promise.all([first, storage.eraseDeleted(), storage.eraseDeleted()]);
  expect(await countIn(world.folder, "deleted-secret")).toBe(0);
  expect(storage.isErasureDue).toBe(false);
});

test("SqliteStorage.eraseDeleted rejects without side effects when impossible, and close completes it", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  await churn(storage);
  const before = await storage.list("n", { limit: 1_000 });
  await mkdir(`${world.path}.fresh/in-the-way`, { recursive: true });

  const refused = await storage.eraseDeleted().catch((error: unknown) => error);

  expect(refused).toMatchObject({ name: "StorageError" });
  expect(await storage.list("n", { limit: 1_000 })).toEqual(before);
  expect(storage.isErasureDue).toBe(true);
  await storage.close();
  await rm(`${world.path}.fresh`, { recursive: true });
  expect(await countIn(world.folder, "deleted-secret")).toBe(0);
});

test("SqliteStorage acknowledges writes after an erasure once the new log is on disk", async () => {
  await using world = await createSqliteFolder();
  const synced: string[] = [];
  const storage = world.openWith({
    syncFile: async (file) => void synced.push(await readlink(`/proc/self/fd/${file}`)),
  });
  await fill(storage, 10);
  await storage.eraseDeleted();
  synced.length = 0;

  await storage.atomic([], [set("later", 1)]);

  expect(synced).toEqual([`${world.path}-wal`]);
});

test("openSqliteStorage removes an unfinished rewrite of a killed host and resumes the erasure", async () => {
  await using world = await createSqliteFolder();
  const first = world.open();
  await churn(first);
  await first.close();
  world.run("INSERT INTO state (name, value) VALUES ('vacuum-due', 1)");
  for (const suffix of ["", "-journal", "-wal", "-shm"])
    await Bun.write(`${world.path}.fresh${suffix}`, "half of it");

  const storage = world.open();

  expect(storage.isErasureDue).toBe(true);
  await storage.eraseDeleted();
  expect(storage.isErasureDue).toBe(false);
  expect((await readdir(world.folder)).filter((name) => name.includes("fresh"))).toEqual([]);
});

test("SqliteStorage.close does not rewrite the file when nothing has to be erased", async () => {
  await using world = await createSqliteFolder();
  const storage = world.open();
  await fill(storage, 1_000);
  const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}`);
  await storage.atomic(
    [],
    keys.map((key) => ({ kind: "delete", namespace: "n", key }) as const),
  );

  await storage.close();

  expect(world.query("PRAGMA freelist_count")[0]?.[0]).toBeGreaterThan(10);
});
