import type { FileRead, FsGrant } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { mkdir, stat, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { createFileSystem } from "./file-system.ts";

function read(
  path: string,
  cwd: string,
  grant: true | FsGrant = { read: ["$cwd"] },
  maxBytes = 1_000,
): Promise<FileRead> {
  return createFileSystem("acme.reader", grant, { clock: systemClock }).readFile(path, {
    cwd,
    maxBytes,
    timeoutMs: 120_000,
  });
}

test("readFile reads a regular file, relative to cwd or absolute", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "a.txt"), "text é");

  for (const path of ["a.txt", "./a.txt", join(folder.path, "a.txt")]) {
    const file = await read(path, folder.path);
    expect(file.kind === "read" && new TextDecoder().decode(file.bytes)).toBe("text é");
  }
});

test("readFile checks the grant before it looks up the file, and links by their target", async () => {
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

test("readFile resolves .. lexically, so that links cannot lead out of a grant", async () => {
  await using folder = await createTempFolder();
  const work = join(folder.path, "work");
  await mkdir(join(work, "sub"), { recursive: true });
  await mkdir(join(folder.path, "other/deep"), { recursive: true });
  await Bun.write(join(folder.path, "other/secret"), "secret");
  await Bun.write(join(work, "secret"), "inside");
  await symlink(join(folder.path, "other/deep"), join(work, "link"));

  // The operating system would resolve this to other/secret.
  const through = await read("link/../secret", work);
  expect(through.kind === "read" && new TextDecoder().decode(through.bytes)).toBe("inside");
  expect(await read("sub/../secret", work)).toMatchObject({ kind: "read" });
  for (const path of ["sub/../../other/secret", `${work}/../other/secret`, "link/../../other/secret", ".."])
    expect(await read(path, work)).toMatchObject({ kind: "absent", reason: "denied" });
  expect(await read("other/secret", work, { read: [`${work}/../work`] })).toMatchObject({ reason: "not-found" });
});

test("readFile never returns an outside file while a folder is swapped for a link", async () => {
  await using folder = await createTempFolder();
  const work = join(folder.path, "work");
  await mkdir(join(work, "real"), { recursive: true });
  await mkdir(join(folder.path, "outside"));
  await Bun.write(join(work, "real/file"), "inside");
  await Bun.write(join(folder.path, "outside/file"), "secret");
  await symlink(join(folder.path, "outside"), join(work, "link"));
  await symlink(join(work, "real"), join(work, "at"));
  const swapper = `
    const { renameSync, symlinkSync } = require("node:fs");
    for (;;) for (const to of ["../outside", "real"]) { symlinkSync(to, "next"); renameSync("next", "at"); }
  `;
  // Swaps a parent folder: O_NOFOLLOW checks only the last part of the path.
  const moving = `
    const { renameSync } = require("node:fs");
    for (;;) {
      try { renameSync("real", "aside"); renameSync("link", "real"); } catch {}
      try { renameSync("real", "link"); renameSync("aside", "real"); } catch {}
    }
  `;
  const children = [swapper, moving].map((script) =>
    Bun.spawn([process.execPath, "-e", script], { cwd: work, stderr: "ignore" }),
  );
  const found = new Set<string>();
  try {
    for (let count = 0; count < 2_000 || !found.has("inside") || !found.has("denied"); count += 1) {
      const file = await read(count % 2 === 0 ? "at/file" : "real/file", work);
      found.add(file.kind === "read" ? new TextDecoder().decode(file.bytes) : file.reason);
    }
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }

  expect(found).not.toContain("secret");
});

test("readFile does not reveal whether a file outside the grant exists", async () => {
  await using folder = await createTempFolder();
  const work = join(folder.path, "work");
  await mkdir(work);
  await Bun.write(join(folder.path, "there"), "secret");
  await symlink(join(folder.path, "there"), join(work, "to-there"));
  await symlink(join(folder.path, "not-there"), join(work, "to-nothing"));
  await symlink("..", join(work, "up"));
  await symlink(folder.path, join(work, "to-folder"));
  await symlink(join(work, "inside"), join(work, "to-inside"));

  for (const path of [
    "to-there",
    "to-nothing",
    "up/there",
    "up/not-there",
    "up/there/below",
    "to-folder",
    "../nul\u0000",
  ])
    expect({ path, ...(await read(path, work)) }).toEqual({ path, kind: "absent", reason: "denied" });
  const detail = "it is a broken link";
  expect(await read("to-inside", work)).toEqual({ kind: "absent", reason: "not-found", detail });
});

test("readFile matches $cwd as a whole folder name, and accepts a granted link to a folder", async () => {
  await using folder = await createTempFolder();
  const work = join(folder.path, "work");
  await mkdir(work);
  await Bun.write(join(folder.path, "work-other"), "other");
  await Bun.write(join(work, "a"), "a");
  await symlink(work, join(folder.path, "linked"));
  const linked = join(folder.path, "linked");

  expect(await read("../work-other", work)).toMatchObject({ reason: "denied" });
  expect(await read("../work-other", work, { read: ["$cwd-other"] })).toMatchObject({ reason: "denied" });
  const ofAnotherSystem = { read: [process.platform === "win32" ? "relative" : "C:/"] };
  expect(await read("C:/a", work, ofAnotherSystem)).toMatchObject({ reason: "denied" });
  for (const path of ["a", join(linked, "a"), join(work, "a")])
    expect(await read(path, linked)).toMatchObject({ kind: "read", path: join(work, "a") });
});

test("readFile does not open a pipe, so its writer keeps waiting", async () => {
  await using folder = await createTempFolder();
  const pipe = join(folder.path, "pipe");
  await Bun.spawn(["mkfifo", pipe]).exited;
  const writer = Bun.spawn(["sh", "-c", `echo text > ${pipe}`]);

  const file = await read("pipe", folder.path);

  expect(file).toEqual({ kind: "absent", reason: "not-a-file" });
  expect(writer.exitCode).toBeNull();
  expect(await new Response(Bun.spawn(["cat", pipe]).stdout).text()).toBe("text\n");
  expect(await writer.exited).toBe(0);
});

test("readFile ends at its deadline and on abort", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "a"), "a");
  const late = { now: () => 0, setTimer: (callback: () => void) => (callback(), () => {}) };
  const options = { cwd: folder.path, maxBytes: 10, timeoutMs: 1 };

  const timedOut = await createFileSystem("acme.reader", true, { clock: late }).readFile("a", options);
  const stopped = await createFileSystem("acme.reader", true, { clock: systemClock }).readFile("a", {
    ...options,
    timeoutMs: 120_000,
    signal: AbortSignal.abort(),
  });

  expect(timedOut).toEqual({ kind: "absent", reason: "timeout" });
  expect(stopped).toEqual({ kind: "absent", reason: "failed", detail: "stopped" });
});

test("readFile leaves no listener on a long-lived signal", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "a"), "a");
  const { signal } = new AbortController();
  const fileSystem = createFileSystem("acme.reader", true, { clock: systemClock });

  for (const name of ["a", "none"])
    await fileSystem.readFile(name, { cwd: folder.path, maxBytes: 10, timeoutMs: 120_000, signal });

  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("readFile reads a file of exactly the limit and rejects one byte more", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "fits"), "x".repeat(200_000));
  await Bun.write(join(folder.path, "over"), "x".repeat(200_001));

  const fits = await read("fits", folder.path, true, 200_000);

  expect(fits.kind === "read" && fits.bytes.length).toBe(200_000);
  expect(await read("over", folder.path, true, 200_000)).toMatchObject({ reason: "too-large" });
});

test("readFile never buffers more than the limit of a growing file", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "growing");
  await Bun.write(path, "x");
  const writer = Bun.spawn(["sh", "-c", `while :; do printf %65536s x >> ${path}; done`]);
  const results: FileRead[] = [];
  for (let size = 0; size < 1_000_000; size = (await stat(path)).size)
    results.push(await read("growing", folder.path, true, 300_000));
  writer.kill("SIGKILL");
  await writer.exited;

  for (const result of results)
    if (result.kind === "read") expect(result.bytes.length).toBeLessThanOrEqual(300_000);
  expect(await read("growing", folder.path, true, 300_000)).toMatchObject({ reason: "too-large" });
});

test("readFile returns the reason for unreadable paths without blocking or reading the file whole", async () => {
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
  const circle = "its links form a loop";
  expect(await read("loop", folder.path)).toEqual({ kind: "absent", reason: "not-found", detail: circle });
  expect(await read("nul\u0000", folder.path)).toEqual({ kind: "absent", reason: "not-found" });
  expect(await read("a/".repeat(100_000), folder.path)).toEqual({ kind: "absent", reason: "not-found" });
  expect(await read("/dev/tty", folder.path, true)).toEqual({ kind: "absent", reason: "not-a-file" });
});

test("readFile rejects a file larger than its reported size", async () => {
  await using folder = await createTempFolder();

  // Files of /proc report size 0 but have content.
  expect(await read("/proc/self/status", folder.path, true, 100)).toMatchObject({
    kind: "absent",
    reason: "too-large",
  });
  expect(await read("/proc/self/status", folder.path, true, 100_000)).toMatchObject({ kind: "read" });
});
