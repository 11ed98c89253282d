import { createTempFolder } from "@incipit/testkit";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DataFolder, DataFolderHeld, ownerProblem, tokenOf } from "./data-folder.ts";

test("DataFolder.open() throws DataFolderHeld with the holder while another host has the folder", async () => {
  await using temp = await createTempFolder();
  const path = join(temp.path, "data");
  using first = DataFolder.open(path);

  expect(() => DataFolder.open(path)).toThrow("starting or stopping");
  first.announce("http://127.0.0.1:1", 0);
  expect(() => DataFolder.open(path)).toThrow(DataFolderHeld);
  expect(() => DataFolder.open(path)).toThrow(
    `the host with process id ${process.pid} at http://127.0.0.1:1, since 1970-01-01T00:00:00.000Z`,
  );
});

test("DataFolder.open() reports path, reason and remedy for each unusable file", async () => {
  await using temp = await createTempFolder();
  const file = join(temp.path, "a file");
  await Bun.write(file, "");
  const locked = join(temp.path, "locked");
  await mkdir(join(locked, "host.lock"), { recursive: true });

  expect(() => DataFolder.open(file)).toThrow(
    `Cannot use the data folder "${file}": a part of its path is a file, not a folder; use another one (--data DIR)`,
  );
  expect(() => DataFolder.open(locked)).toThrow(
    `Cannot use the data folder "${locked}": you may not write there; use another one (--data DIR)`,
  );
});

test("DataFolder.look() distinguishes free from held and returns an announced holder", async () => {
  await using temp = await createTempFolder();
  const path = join(temp.path, "data");

  expect(DataFolder.look(path)).toEqual({ kind: "free" });
  const folder = DataFolder.open(path);
  expect(DataFolder.look(path)).toEqual({ kind: "held", holder: undefined });
  folder.announce("http://127.0.0.1:1", 0);
  expect(DataFolder.look(path)).toMatchObject({ kind: "held", holder: { url: "http://127.0.0.1:1" } });
  folder.retract();
  expect(DataFolder.look(path)).toEqual({ kind: "held", holder: undefined });
  folder[Symbol.dispose]();
  expect(DataFolder.look(path)).toEqual({ kind: "free" });
});

test("DataFolder takes over from a killed process and removes its announcement", async () => {
  await using temp = await createTempFolder();
  const path = join(temp.path, "data");
  const code = `const { DataFolder } = await import(${JSON.stringify(join(import.meta.dir, "data-folder.ts"))});
    const folder = DataFolder.open(${JSON.stringify(path)});
    folder.announce("http://127.0.0.1:1", 0);
    console.log("held"); setInterval(() => folder, 1000);`;
  const child = Bun.spawn([process.execPath, "-e", code], { stdout: "pipe" });
  await child.stdout.getReader().read();
  expect(DataFolder.look(path)).toMatchObject({ kind: "held", holder: { pid: child.pid } });

  child.kill("SIGKILL");
  await child.exited;

  expect(DataFolder.look(path)).toEqual({ kind: "free" });
  using folder = DataFolder.open(path);
  expect(DataFolder.look(folder.path)).toEqual({ kind: "held", holder: undefined });
});

test("[attack:machine-stale-address] DataFolder.look() never returns the previous holder while a host starts", async () => {
  await using temp = await createTempFolder();
  const path = join(temp.path, "data");
  DataFolder.open(path)[Symbol.dispose]();
  const file = join(path, "host.json");
  await Bun.write(file, JSON.stringify({ pid: process.pid, url: "http://127.0.0.1:1", since: "" }));
  const lock = new Database(join(path, "host.lock"));
  lock.run("PRAGMA locking_mode = EXCLUSIVE");
  lock.run("BEGIN EXCLUSIVE");
  expect(DataFolder.look(path)).toMatchObject({ kind: "held", holder: { url: "http://127.0.0.1:1" } });
  lock.close();

  // A reader delays the lock.
  const looks = new Database(join(path, "host.lock"), { readonly: true });
  looks.run("BEGIN");
  looks.query("SELECT count(*) FROM sqlite_schema").get();
  expect(() => DataFolder.open(path)).toThrow(DataFolderHeld);
  looks.close();

  expect(await Bun.file(file).exists()).toBe(false);
});

test("DataFolder.isHeldBy() distinguishes a stopping host from a dead one and from its successor", async () => {
  await using temp = await createTempFolder();
  const path = join(temp.path, "data");
  const holder = { pid: process.pid, url: "http://127.0.0.1:1", since: "" };
  const gone = { ...holder, pid: 4_194_305 }; // Above the largest pid of Linux.
  const folder = DataFolder.open(path);

  expect([DataFolder.isHeldBy(path, holder), DataFolder.isHeldBy(path, gone)]).toEqual([true, false]);
  folder.announce("http://127.0.0.1:2", 0);
  expect(DataFolder.isHeldBy(path, holder)).toBe(false);
  expect(DataFolder.isHeldBy(path, { ...gone, url: "http://127.0.0.1:2" })).toBe(true);
  folder[Symbol.dispose]();
  expect(DataFolder.isHeldBy(path, holder)).toBe(false);
});

test("[attack:machine-data-folder-of-another] DataFolder refuses a data folder owned by another user", () => {
  const [me, other, root] = [1_000, 1_001, 0];

  expect(ownerProblem({ uid: other, mode: 0o700 }, me)).toContain("it belongs to another user (1001)");
  expect(ownerProblem({ uid: me, mode: 0o40_777 }, me)).toContain("every user");
  for (const [uid, mode, of] of [
    [me, 0o700, me],
    [me, 0o775, me],
    [root, 0o770, me],
    [other, 0o700, root],
    [other, 0o777, undefined],
  ] as const)
    expect(ownerProblem({ uid, mode }, of)).toBeUndefined();
});

test("DataFolder restricts the folder and its files to the owner", async () => {
  await using temp = await createTempFolder();
  const path = join(temp.path, "data");
  using folder = DataFolder.open(path);
  folder.announce("http://127.0.0.1:1", 0);

  expect((await stat(path)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(path)) expect((await stat(join(path, name))).mode & 0o777).toBe(0o600);
});

test("tokenOf creates one token under concurrency and restricts its mode", async () => {
  await using temp = await createTempFolder();
  const path = join(temp.path, "data");
  const code = `const { tokenOf } = await import(${JSON.stringify(join(import.meta.dir, "data-folder.ts"))});
    process.stdout.write(tokenOf(${JSON.stringify(path)}));`;
  const ask = (): Promise<string> =>
    new Response(Bun.spawn([process.execPath, "-e", code], { stdout: "pipe" }).stdout).text();

  const tokens = await Promise.all([ask(), ask(), ask()]);
  await chmod(join(path, "token"), 0o644);

  expect(new Set(tokens)).toEqual(new Set([tokenOf(path)]));
  expect(tokens[0]).toMatch(/^[\w-]{43}$/);
  expect((await stat(join(path, "token"))).mode & 0o777).toBe(0o600);
  expect(await readdir(path)).toEqual(["token"]);
});

test("tokenOf rejects a damaged token with a remedy", async () => {
  await using temp = await createTempFolder();
  await Bun.write(join(temp.path, "token"), "\n");

  expect(() => tokenOf(temp.path)).toThrow("delete the file");
});
