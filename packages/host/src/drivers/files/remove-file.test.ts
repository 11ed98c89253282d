import type { FileRemoval, FsGrant } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, readdir, realpath, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { createFileSystem } from "./file-system.ts";
import { PathQueue } from "./write-file.ts";

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function remove(
  path: string,
  { cwd, expected, grant = { write: ["$cwd"] } }: { cwd: string; expected: string; grant?: FsGrant },
): Promise<FileRemoval> {
  const fs = createFileSystem("acme.writer", grant, { clock: systemClock });
  return fs.removeFile(path, { cwd, expected: bytesOf(expected), timeoutMs: 120_000 });
}

test("removeFile removes a file with the expected content only", async () => {
  await using folder = await createTempFolder();
  const cwd = await realpath(folder.path);
  await Bun.write(join(cwd, "a.md"), "one");
  await mkdir(join(cwd, "folder"));

  expect(await remove("a.md", { cwd, expected: "two" })).toEqual({ kind: "refused", reason: "changed" });
  expect(await remove("folder", { cwd, expected: "" })).toEqual({ kind: "refused", reason: "not-a-file" });
  expect(await remove("none.md", { cwd, expected: "" })).toEqual({ kind: "refused", reason: "not-found" });
  expect(await readdir(cwd)).toEqual(["a.md", "folder"]);
  expect(await remove("a.md", { cwd, expected: "one" })).toEqual({ kind: "removed", path: join(cwd, "a.md") });
  expect(await readdir(cwd)).toEqual(["folder"]);
});

test("removeFile removes nothing outside the write grant, even through a link", async () => {
  await using folder = await createTempFolder();
  const home = await realpath(folder.path);
  const cwd = join(home, "work");
  await mkdir(cwd);
  await Bun.write(join(home, "outside.md"), "text");
  await symlink("../outside.md", join(cwd, "out.md"));

  for (const path of ["out.md", "../outside.md", join(home, "outside.md")])
    expect(await remove(path, { cwd, expected: "text" })).toMatchObject({ reason: "denied" });
  expect(await remove("outside.md", { cwd: home, expected: "text", grant: { read: ["$cwd"] } })).toMatchObject({
    reason: "denied",
  });
  expect(await remove("outside.md", { cwd: home, expected: "text" })).toMatchObject({ kind: "removed" });
});

test("removeFile and writeFile with the same expectation: one succeeds, the other is refused", async () => {
  await using folder = await createTempFolder();
  const cwd = await realpath(folder.path);
  const fs = createFileSystem("acme.writer", { write: ["$cwd"] }, { clock: systemClock, queue: new PathQueue() });
  const options = { cwd, timeoutMs: 120_000 };
  await fs.writeFile("a.md", bytesOf("one"), options);

  const [written, removed] = await Promise.all([
    fs.writeFile("a.md", bytesOf("two"), { ...options, expected: bytesOf("one") }),
    fs.removeFile("a.md", { ...options, expected: bytesOf("one") }),
  ]);

  const isWritten = written.kind === "written";
  expect(isWritten ? removed : written).toEqual({ kind: "refused", reason: "changed" });
  expect(await readdir(cwd)).toEqual(isWritten ? ["a.md"] : []);
});

test("removeFile with a place refuses a path that leads elsewhere now", async () => {
  await using folder = await createTempFolder();
  const cwd = await realpath(folder.path);
  for (const name of ["one", "two"]) await Bun.write(join(cwd, name, "a.md"), "text");
  await symlink("one", join(cwd, "link"));
  const fs = createFileSystem("acme.writer", { write: ["$cwd"] }, { clock: systemClock });
  const options = { cwd, expected: bytesOf("text"), timeoutMs: 120_000 };
  const place = join(cwd, "two/a.md");

  expect(await fs.removeFile("link/a.md", { ...options, place })).toEqual({ kind: "refused", reason: "changed" });
  expect(await readdir(join(cwd, "one"))).toEqual(["a.md"]);
  expect(await fs.removeFile("two/a.md", { ...options, place })).toEqual({ kind: "removed", path: place });
});

test("removeFile removes listed empty folders up to the first non-empty one, never the working folder", async () => {
  await using folder = await createTempFolder();
  const home = await realpath(folder.path);
  const cwd = join(home, "work");
  const paths = ["one/two/a.md", "kept/two/a.md", "full/two/a.md"];
  for (const path of paths) await Bun.write(join(cwd, path), "text");
  await Bun.write(join(cwd, "full/b.md"), "text");
  const fs = createFileSystem("acme.writer", true, { clock: systemClock });
  const named = ["one", "one/two", "kept/two", "full", "full/two", "other"].map((path) => join(cwd, path));
  await mkdir(join(cwd, "other"));
  const emptyFolders = [...named, cwd, home];
  const options = { cwd, expected: bytesOf("text"), timeoutMs: 120_000, emptyFolders };

  const removed: unknown[] = [];
  for (const path of paths) removed.push(await fs.removeFile(path, options));

  expect(removed).toMatchObject([
    { removedFolders: [join(cwd, "one/two"), join(cwd, "one")] },
    { removedFolders: [join(cwd, "kept/two")] },
    { removedFolders: [join(cwd, "full/two")] },
  ]);
  expect((await readdir(cwd)).toSorted()).toEqual(["full", "kept", "other"]);
  await Bun.write(join(cwd, "kept/a.md"), "text");
  for (const name of ["full", "other"]) await rm(join(cwd, name), { recursive: true });
  const last = { ...options, emptyFolders: [join(cwd, "kept"), cwd, home] };
  expect(await fs.removeFile("kept/a.md", last)).toMatchObject({ removedFolders: [join(cwd, "kept")] });
  expect(await readdir(home)).toEqual(["work"]);
});

test("removeFile through a link removes the file's folder if listed, never the link", async () => {
  await using folder = await createTempFolder();
  const cwd = await realpath(folder.path);
  await Bun.write(join(cwd, "real/a.md"), "text");
  await symlink("real", join(cwd, "link"));
  const fs = createFileSystem("acme.writer", { write: ["$cwd"] }, { clock: systemClock });
  const options = { cwd, expected: bytesOf("text"), timeoutMs: 120_000 };

  expect(await fs.removeFile("link/a.md", { ...options, emptyFolders: [join(cwd, "link")] })).toEqual({
    kind: "removed",
    path: join(cwd, "real/a.md"),
  });
  expect((await readdir(cwd)).toSorted()).toEqual(["link", "real"]);
});
