import type { FileRead, FsGrant } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "./clock.ts";
import { createFileSystem } from "./file-system.ts";

function read(
  path: string,
  cwd: string,
  grant: true | FsGrant = { read: ["$cwd"] },
  maxBytes = 1_000,
): Promise<FileRead> {
  return createFileSystem("acme.reader", grant, systemClock).readFile(path, { cwd, maxBytes, timeoutMs: 2_000 });
}

test("readFile reads a regular file, relative to cwd or absolute", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "a.txt"), "text é");

  for (const path of ["a.txt", "./a.txt", join(folder.path, "a.txt")]) {
    const file = await read(path, folder.path);
    expect(file.kind === "read" && new TextDecoder().decode(file.bytes)).toBe("text é");
  }
});

test("readFile judges the grant before it looks for the file, and links by where they lead", async () => {
  await using folder = await createTempFolder();
  const work = join(folder.path, "work");
  await mkdir(join(work, "sub"), { recursive: true });
  await Bun.write(join(folder.path, "secret"), "secret");
  await Bun.write(join(work, "..dots"), "inside");
  await symlink(join(folder.path, "secret"), join(work, "out"));
  await symlink(folder.path, join(work, "up"));
  await symlink(join(work, "..dots"), join(work, "sub/in"));

  for (const path of [
    "../secret",
    "../nothing",
    "/etc/nothing-here",
    "out",
    "up/secret",
    join(folder.path, "secret"),
  ]) {
    expect(await read(path, work)).toMatchObject({ kind: "absent", reason: "denied" });
  }
  for (const path of ["..dots", "sub/in"]) expect(await read(path, work)).toMatchObject({ kind: "read" });
  expect(
    await read(join(folder.path, "secret"), work, { read: ["$cwd", join(folder.path, "secret")] }),
  ).toMatchObject({ kind: "read" });
  expect(await read("out", work, true)).toMatchObject({ kind: "read" });
});

test("readFile gives the reason for what is no readable file, without waiting for it or reading it whole", async () => {
  await using folder = await createTempFolder();
  await mkdir(join(folder.path, "folder"));
  await Bun.spawn(["mkfifo", join(folder.path, "pipe")]).exited;
  await Bun.write(join(folder.path, "huge"), "");
  await truncate(join(folder.path, "huge"), 2 * 1024 ** 3);
  await symlink("loop", join(folder.path, "loop"));

  expect(await read("none", folder.path)).toEqual({ kind: "absent", reason: "not-found" });
  expect(await read("folder", folder.path)).toEqual({ kind: "absent", reason: "not-a-file" });
  expect(await read("pipe", folder.path)).toEqual({ kind: "absent", reason: "not-a-file" });
  expect(await read("/dev/zero", folder.path, true)).toEqual({ kind: "absent", reason: "not-a-file" });
  expect(await read("huge", folder.path)).toMatchObject({ kind: "absent", reason: "too-large" });
  expect(await read("loop", folder.path)).toEqual({ kind: "absent", reason: "not-found" });
  expect(await read("nul\u0000", folder.path)).toEqual({ kind: "absent", reason: "not-found" });
});

test("readFile gives up on a file that says it is small and is not", async () => {
  await using folder = await createTempFolder();

  // Files of the kernel have size 0 and content all the same, as a file has that grows while it is read.
  expect(await read("/proc/self/status", folder.path, true, 100)).toMatchObject({
    kind: "absent",
    reason: "too-large",
  });
  expect(await read("/proc/self/status", folder.path, true, 100_000)).toMatchObject({ kind: "read" });
});
