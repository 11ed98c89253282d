import type { FileSystem, FolderFiles, FsGrant, ReadFolderOptions } from "@incipit/kernel";
import { createTempFolder, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { link, mkdir, realpath, rename, stat, symlink, truncate, utimes } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { ClosedFolder } from "./closed-folder.ts";
import { createFileSystem } from "./file-system.ts";

const oneHourMs = 3_600_000;

/** Ahead, so that all files count as settled. */
function newFiles(grant: FsGrant = { read: ["$cwd"] }): FileSystem {
  return createFileSystem("acme.reader", grant, { clock: new FakeClock(Date.now() + oneHourMs) });
}

async function readFolder(
  path: string,
  { fs = newFiles(), ...options }: Partial<ReadFolderOptions> & { readonly cwd: string; readonly fs?: FileSystem },
): Promise<FolderFiles> {
  return fs.readFolder(path, { ending: ".md", maxFiles: 100, maxBytes: 1_000, timeoutMs: 120_000, ...options });
}

function told(files: FolderFiles): unknown {
  if (files.kind === "absent") return files.reason;
  return files.files.map((file) => [
    file.name,
    file.kind === "read" ? new TextDecoder().decode(file.bytes) : file.kind === "known" ? "known" : file.reason,
  ]);
}

function marksOf(files: FolderFiles): ReadonlyMap<string, string> {
  const found = files.kind === "read" ? files.files : [];
  return new Map(
    found.flatMap((file) => (file.kind === "read" && file.mark !== null ? [[file.name, file.mark]] : [])),
  );
}

test("readFolder reads matching files sorted by name bytes, and returns a reason for each other", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Bun.write(join(cwd, "b.md"), "b");
  await Bun.write(join(cwd, "a.md"), "");
  await Bun.write(join(cwd, "é.md"), "é\r\n");
  await Bun.write(join(cwd, "notes.txt"), "another ending");
  await Bun.write(join(cwd, "long.md"), "x".repeat(1_001));
  await mkdir(join(cwd, "folder.md"));
  await symlink("b.md", join(cwd, "linked.md"));
  await Bun.spawn(["mkfifo", join(cwd, "pipe.md")]).exited;

  const read = await readFolder(".", { cwd });

  expect(told(read)).toEqual([
    ["a.md", ""],
    ["b.md", "b"],
    ["folder.md", "not-a-file"],
    ["linked.md", "b"],
    ["long.md", "too-large"],
    ["pipe.md", "not-a-file"],
    ["é.md", "é\r\n"],
  ]);
  expect(read).toMatchObject({ path: await realpath(cwd), leftOut: 0 });
  const first = await readFolder(".", { cwd, maxFiles: 1 });
  expect(first).toMatchObject({ files: [{ name: "a.md" }], leftOut: 6 });
});

test("readFolder skips unchanged files and rereads changed ones despite equal modification times", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  const file = join(cwd, "a.md");
  await Bun.write(file, "one");
  await Bun.write(join(cwd, "b.md"), "same");
  await symlink("b.md", join(cwd, "c.md"));
  const known = marksOf(await readFolder(".", { cwd }));

  const before = told(await readFolder(".", { cwd, known }));
  const { atime, mtime } = await stat(file);
  await Bun.write(`${file}.new`, "two");
  await utimes(`${file}.new`, atime, mtime);
  await rename(`${file}.new`, file);

  expect(before).toEqual([
    ["a.md", "known"],
    ["b.md", "known"],
    ["c.md", "same"],
  ]);
  expect(told(await readFolder(".", { cwd, known }))).toEqual([
    ["a.md", "two"],
    ["b.md", "known"],
    ["c.md", "same"],
  ]);
});

test("readFolder returns no mark for a file changed within the last moment", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Bun.write(join(cwd, "a.md"), "one");
  const fs = createFileSystem("acme.reader", { read: ["$cwd"] }, { clock: new FakeClock(Date.now()) });

  expect(marksOf(await readFolder(".", { cwd, fs })).size).toBe(0);
  expect(marksOf(await readFolder(".", { cwd })).size).toBe(1);
});

test("readFolder reads nothing outside the grant, through links or hard links", async () => {
  await using folder = await createTempFolder();
  const home = await realpath(folder.path);
  const [cwd, data] = [join(home, "work"), join(home, "data")];
  await mkdir(cwd);
  await Bun.write(join(data, "token"), "secret");
  await Bun.write(join(home, "outside.md"), "outside");
  await symlink("../outside.md", join(cwd, "out.md"));
  await link(join(data, "token"), join(cwd, "token.md"));
  await symlink("..", join(cwd, "up"));
  const fs = createFileSystem(
    "acme.reader",
    { read: ["$cwd"] },
    { clock: systemClock, closed: new ClosedFolder(data) },
  );

  expect(told(await readFolder(".", { cwd, fs }))).toEqual([
    ["out.md", "denied"],
    ["token.md", "denied"],
  ]);
  expect(told(await readFolder("up", { cwd, fs }))).toBe("denied");
  expect(told(await readFolder("..", { cwd, fs }))).toBe("denied");
  expect(told(await readFolder("none", { cwd, fs }))).toBe("not-found");
  expect(told(await readFolder("out.md", { cwd, fs }))).toBe("denied");
  expect(told(await readFolder(".", { cwd: home, fs }))).toEqual([["outside.md", "outside"]]);
});

test("readFolder rejects a file of 2 GB unread, and ends on abort", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Bun.write(join(cwd, "huge.md"), "");
  await truncate(join(cwd, "huge.md"), 2_147_483_648);
  await Bun.write(join(cwd, "file"), "");
  const before = process.memoryUsage().rss;

  expect(told(await readFolder(".", { cwd }))).toEqual([["huge.md", "too-large"]]);

  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  expect(told(await readFolder(".", { cwd, signal: AbortSignal.abort() }))).toBe("failed");
  expect(told(await readFolder("file", { cwd }))).toBe("not-a-folder");
});
