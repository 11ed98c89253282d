import type { FolderList, FsGrant } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { createFileSystem } from "./file-system.ts";

function list(
  path: string,
  cwd: string,
  {
    grant = { read: ["$cwd"] },
    maxEntries = 100,
  }: { readonly grant?: true | FsGrant; readonly maxEntries?: number } = {},
): Promise<FolderList> {
  return createFileSystem("acme.reader", grant, { clock: systemClock }).list(path, {
    cwd,
    maxEntries,
    timeoutMs: 120_000,
  });
}

test("list returns kind and size of each entry, sorted by the bytes of its name", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Bun.write(join(cwd, "b.txt"), "12345");
  await Bun.write(join(cwd, "é"), "");
  await Bun.write(join(cwd, "Z"), "1");
  await mkdir(join(cwd, "a folder"));
  await symlink("/etc/passwd", join(cwd, "link"));
  await Bun.spawn(["mkfifo", join(cwd, "pipe")]).exited;

  const listed = await list(".", cwd);

  expect(listed).toEqual({
    kind: "listed",
    path: cwd,
    leftOut: 0,
    entries: [
      { name: "Z", kind: "file", sizeBytes: 1, modifiedAtMs: expect.any(Number) },
      { name: "a folder", kind: "folder", sizeBytes: 0, modifiedAtMs: expect.any(Number) },
      { name: "b.txt", kind: "file", sizeBytes: 5, modifiedAtMs: expect.any(Number) },
      { name: "link", kind: "link", sizeBytes: 0, modifiedAtMs: expect.any(Number) },
      { name: "pipe", kind: "other", sizeBytes: 0, modifiedAtMs: expect.any(Number) },
      { name: "é", kind: "file", sizeBytes: 0, modifiedAtMs: expect.any(Number) },
    ],
  });
  expect(await list("", cwd, { maxEntries: 2 })).toMatchObject({
    entries: [{ name: "Z" }, { name: "a folder" }],
    leftOut: 4,
  });
});

test("list checks the grant and the targets of links, and returns the reason for a refusal", async () => {
  await using folder = await createTempFolder();
  const cwd = join(folder.path, "work");
  await mkdir(join(cwd, "sub"), { recursive: true });
  await Bun.write(join(cwd, "file"), "");
  await Bun.spawn(["mkfifo", join(cwd, "pipe")]).exited;
  await symlink(folder.path, join(cwd, "up"));
  await symlink("sub", join(cwd, "in"));

  for (const path of ["..", "up", "up/nothing", "/etc", "/nothing-here"])
    expect({ path, ...(await list(path, cwd)) }).toEqual({ path, kind: "absent", reason: "denied" });
  expect(await list(".", cwd, { grant: { write: ["$cwd"] } })).toMatchObject({ reason: "denied" });
  expect(await list("in", cwd)).toMatchObject({ kind: "listed", path: join(cwd, "sub") });
  for (const path of ["file", "pipe"]) expect(await list(path, cwd)).toMatchObject({ reason: "not-a-folder" });
  for (const path of ["none", "file/below", "nul\u0000"])
    expect(await list(path, cwd)).toEqual({ kind: "absent", reason: "not-found" });
});

test("list never returns outside entries while a folder is swapped for a link", async () => {
  await using folder = await createTempFolder();
  const work = join(folder.path, "work");
  // Refusing a link at the end of the path is not enough.
  await Bun.write(join(work, "real/sub/inside"), "");
  await Bun.write(join(folder.path, "outside/sub/secret"), "");
  await symlink(join(folder.path, "outside"), join(work, "link"));
  const moving = `
    const { renameSync } = require("node:fs");
    for (;;) {
      try { renameSync("real", "aside"); renameSync("link", "real"); } catch {}
      try { renameSync("real", "link"); renameSync("aside", "real"); } catch {}
    }
  `;
  const child = Bun.spawn([process.execPath, "-e", moving], { cwd: work, stderr: "ignore" });
  const found = new Set<string>();
  try {
    for (let count = 0; count < 1_000 || !found.has("inside"); count += 1) {
      const listed = await list("real/sub", work);
      for (const name of listed.kind === "listed" ? listed.entries.map((entry) => entry.name) : [listed.reason])
        found.add(name);
    }
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }

  expect(found).not.toContain("secret");
});
