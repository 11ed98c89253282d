import type { FileSystem, FileWrite, FsGrant, WriteFileOptions } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { chmod, mkdir, readdir, readlink, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { createFileSystem } from "./file-system.ts";

const readAndWrite: FsGrant = { read: ["$cwd"], write: ["$cwd"] };

interface WriteOptions extends Partial<Omit<WriteFileOptions, "expected">> {
  readonly cwd: string;
  readonly expected?: string | null;
  readonly grant?: true | FsGrant;
  readonly fs?: FileSystem;
}

function write(path: string, text: string, options: WriteOptions): Promise<FileWrite> {
  const {
    grant = readAndWrite,
    expected,
    fs = createFileSystem("acme.writer", grant, { clock: systemClock }),
  } = options;
  return fs.writeFile(path, bytesOf(text), {
    cwd: options.cwd,
    timeoutMs: 120_000,
    createFolders: options.createFolders ?? false,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(expected === undefined ? {} : { expected: expected === null ? null : bytesOf(expected) }),
  });
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

test("writeFile creates and replaces files, keeps the mode, and leaves no temporary file", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;

  expect(await write("new é.txt", "one", { cwd })).toEqual({ kind: "written", path: join(cwd, "new é.txt") });
  await chmod(join(cwd, "new é.txt"), 0o750);
  expect(await write("new é.txt", "two\r\n", { cwd })).toMatchObject({ kind: "written" });

  expect(await Bun.file(join(cwd, "new é.txt")).text()).toBe("two\r\n");
  expect((await stat(join(cwd, "new é.txt"))).mode & 0o7777).toBe(0o750);
  expect(await readdir(cwd)).toEqual(["new é.txt"]);
});

test.skipIf(process.platform === "win32")(
  "[attack:files-setuid-content] writeFile clears setuid, setgid and the sticky bit of a replaced file",
  async () => {
    await using folder = await createTempFolder();
    const { path: cwd } = folder;
    const fs = createFileSystem("acme.writer", readAndWrite, { clock: systemClock });
    await write("tool", "old", { cwd });
    await symlink("tool", join(cwd, "link"));

    for (const [before, after] of [
      [0o4755, 0o755],
      [0o2711, 0o711],
      [0o6750, 0o750],
      [0o1644, 0o644],
      [0o7777, 0o777],
    ] as const)
      for (const [path, options] of [
        ["tool", { expected: bytesOf("old") }],
        ["tool", {}],
        ["link", { expected: bytesOf("old") }],
        ["tool", { expected: bytesOf("old"), mode: before }],
      ] as const) {
        await Bun.write(join(cwd, "tool"), "old");
        await chmod(join(cwd, "tool"), before);
        expect((await stat(join(cwd, "tool"))).mode & 0o7777).toBe(before);

        expect(await fs.writeFile(path, bytesOf("new"), { cwd, timeoutMs: 120_000, ...options })).toMatchObject({
          kind: "written",
        });

        expect(await Bun.file(join(cwd, "tool")).text()).toBe("new");
        expect((await stat(join(cwd, "tool"))).mode & 0o7777).toBe(after);
      }
  },
);

test.skipIf(process.platform === "win32")(
  "writeFile applies the requested mode despite the umask, without setuid and setgid",
  async () => {
    await using folder = await createTempFolder();
    const { path: cwd } = folder;
    const fs = createFileSystem("acme.writer", { read: ["$cwd"], write: ["$cwd"] }, { clock: systemClock });
    const options = { cwd, timeoutMs: 120_000 };

    for (const [path, expected, mode] of [
      ["made", null, 0o777],
      ["made", bytesOf("text"), 0o640],
      ["private", null, 0o600],
      ["owner", null, 0o4755],
    ] as const)
      expect(await fs.writeFile(path, bytesOf("text"), { ...options, expected, mode })).toMatchObject({
        kind: "written",
      });
    const modes = ["made", "private", "owner"].map(async (path) => {
      const read = await fs.readFile(path, { ...options, maxBytes: 10 });
      return [(await stat(join(cwd, path))).mode & 0o7777, read.kind === "read" && read.mode];
    });

    expect(await Promise.all(modes)).toEqual([0o640, 0o600, 0o755].map((mode) => [mode, mode]));
  },
);

test("writeFile creates missing folders only on request", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;

  expect(await write("a/b/c.txt", "text", { cwd })).toEqual({ kind: "refused", reason: "not-found" });
  expect(await readdir(cwd)).toEqual([]);
  expect(await write("a/b/c.txt", "text", { cwd, createFolders: true })).toMatchObject({ kind: "written" });
  expect(await Bun.file(join(cwd, "a/b/c.txt")).text()).toBe("text");
  expect(await write("a/b/c.txt/d", "text", { cwd, createFolders: true })).toMatchObject({ kind: "refused" });
});

test("writeFile checks the write grant for the path as written and for link targets", async () => {
  await using folder = await createTempFolder();
  const cwd = join(folder.path, "work");
  await mkdir(cwd);
  await Bun.write(join(folder.path, "secret"), "secret");
  await symlink(join(folder.path, "secret"), join(cwd, "out"));
  await symlink(join(folder.path, "not-there"), join(cwd, "nowhere"));
  await symlink(folder.path, join(cwd, "up"));
  const denied: FileWrite = { kind: "refused", reason: "denied" };

  for (const path of ["../secret", "../new", "out", "nowhere", "up/new", "up/work-2/new", "/etc/incipit-test"])
    expect({ path, ...(await write(path, "x", { cwd, createFolders: true })) }).toEqual({ path, ...denied });
  expect(await write("a", "x", { cwd, grant: { read: ["$cwd"] } })).toEqual(denied);
  expect(await write("b", "x", { cwd, grant: { write: ["$cwd/a"] } })).toEqual(denied);
  expect(await write("a", "x", { cwd, grant: { write: ["$cwd/a"] } })).toMatchObject({ kind: "written" });
  const deep = { cwd, grant: { write: ["$cwd/x/y"] }, createFolders: true };
  expect(await write("x/y/z", "x", deep)).toMatchObject({ kind: "written" });

  expect(await Bun.file(join(folder.path, "secret")).text()).toBe("secret");
  expect((await readdir(folder.path)).toSorted()).toEqual(["secret", "work"]);
});

test("writeFile writes through a link that stays inside, and keeps the link", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Bun.write(join(cwd, "file"), "old");
  await symlink("file", join(cwd, "link"));
  await symlink("coming", join(cwd, "to-nothing"));

  expect(await write("link", "new", { cwd })).toEqual({ kind: "written", path: join(cwd, "file") });
  expect(await write("to-nothing", "made", { cwd })).toMatchObject({ kind: "written" });

  expect(await readlink(join(cwd, "link"))).toBe("file");
  expect(await Bun.file(join(cwd, "file")).text()).toBe("new");
  expect(await Bun.file(join(cwd, "coming")).text()).toBe("made");
});

test("writeFile replaces expected content and refuses anything else as changed", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;

  expect(await write("a", "1", { cwd, expected: "0" })).toEqual({ kind: "refused", reason: "changed" });
  expect(await write("a", "1", { cwd, expected: null })).toMatchObject({ kind: "written" });
  for (const expected of [null, "", "0", "11"])
    expect(await write("a", "2", { cwd, expected })).toEqual({ kind: "refused", reason: "changed" });
  expect(await write("a", "2", { cwd, expected: "1" })).toMatchObject({ kind: "written" });

  expect(await Bun.file(join(cwd, "a")).text()).toBe("2");
  expect(await readdir(cwd)).toEqual(["a"]);
});

test("writeFile refuses all but one of several concurrent writes with the same expectation", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Bun.write(join(cwd, "a"), "old");
  await symlink("a", join(cwd, "link"));
  const fs = createFileSystem("acme.writer", readAndWrite, { clock: systemClock });

  const replaced = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      write(index % 2 === 0 ? "a" : "link", `new ${index}`, { cwd, expected: "old", fs }),
    ),
  );
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => write("b", `${index}`, { cwd, expected: null })),
  );

  expect(replaced.filter(({ kind }) => kind === "written")).toHaveLength(1);
  expect(made.filter(({ kind }) => kind === "written")).toHaveLength(1);
});

test("writeFile shows a concurrent reader either the old or the new content, complete", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  const contents = ["a".repeat(300_000), "b".repeat(200_000)];
  await write("file", contents[0] ?? "", { cwd });
  const reader = Bun.spawn(
    [
      process.execPath,
      "-e",
      `const seen = new Set(); const { readFileSync, existsSync } = require("node:fs");
       console.log("ready");
       while (!existsSync("stop")) { const text = readFileSync("file", "utf8"); seen.add(text[0] + text.length + new Set(text).size); }
       console.log([...seen].sort().join());`,
    ],
    { cwd, stdout: "pipe" },
  );
  const output = reader.stdout.pipeThrough(new TextDecoderStream()).getReader();
  expect((await output.read()).value).toBe("ready\n");

  for (let count = 0; count < 60; count += 1) await write("file", contents[count % 2] ?? "", { cwd });
  await Bun.write(join(cwd, "stop"), "");

  const seen = ((await output.read()).value ?? "").trim().split(",");
  expect(seen.filter((text) => text !== "a3000001" && text !== "b2000001")).toEqual([]);
});

test("writeFile never writes outside while a folder is swapped for a link", async () => {
  await using folder = await createTempFolder();
  const work = join(folder.path, "work");
  // Refusing a link at the end of the path is not enough.
  await mkdir(join(work, "real/sub"), { recursive: true });
  await mkdir(join(folder.path, "outside/sub"), { recursive: true });
  await symlink(join(folder.path, "outside"), join(work, "link"));
  const moving = `
    const { existsSync, lstatSync, renameSync, rmSync } = require("node:fs");
    for (;;) {
      try { renameSync("real", "aside"); renameSync("link", "real"); } catch {}
      try { renameSync("real", "link"); renameSync("aside", "real"); } catch {}
      // A write came in between, and made the folder anew: nothing could be renamed to it any more.
      if (!existsSync("aside")) continue;
      try { if (lstatSync("real").isDirectory()) rmSync("real", { recursive: true }); } catch {}
      try { renameSync("aside", "real"); } catch {}
    }
  `;
  const child = Bun.spawn([process.execPath, "-e", moving], { cwd: work, stderr: "ignore" });
  const found = new Set<string>();
  try {
    for (let count = 0; count < 2_000 || !found.has("written") || !found.has("denied"); count += 1) {
      // Iterations that only create folders are fast.
      const isWritten = count % 10 === 0;
      const path = isWritten ? "real/sub/file" : `real/sub/new-${count}/file`;
      const options = { cwd: work, createFolders: true, ...(isWritten ? {} : { expected: "y" }) };
      const result = await write(path, "x", options);
      found.add(result.kind === "written" ? "written" : result.reason);
    }
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }

  expect(await readdir(join(folder.path, "outside"), { recursive: true })).toEqual(["sub"]);
});

test("writeFile refuses folders, pipes and devices, with a reason", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await mkdir(join(cwd, "folder"));
  await Bun.spawn(["mkfifo", join(cwd, "pipe")]).exited;
  await symlink("loop", join(cwd, "loop"));

  for (const path of ["folder", "pipe", "."])
    expect({ path, ...(await write(path, "x", { cwd })) }).toMatchObject({ path, reason: "not-a-file" });
  expect(await write("/dev/null", "x", { cwd, grant: true })).toMatchObject({ reason: "not-a-file" });
  for (const path of ["loop", "nul\u0000", "a/".repeat(100_000)])
    expect(await write(path, "x", { cwd })).toEqual({ kind: "refused", reason: "not-found" });
  expect((await readdir(cwd)).toSorted()).toEqual(["folder", "loop", "pipe"]);
});

test("writeFile changes nothing after an abort or a timeout", async () => {
  await using folder = await createTempFolder();
  const { path: cwd } = folder;
  await Bun.write(join(cwd, "a"), "old");
  const late = { now: () => 0, setTimer: (callback: () => void) => (callback(), () => {}) };

  expect(await write("a", "new", { cwd, signal: AbortSignal.abort() })).toMatchObject({ detail: "stopped" });
  expect(await write("a", "new", { cwd, fs: createFileSystem("acme.writer", true, { clock: late }) })).toEqual({
    kind: "refused",
    reason: "timeout",
  });
  const fs = createFileSystem("acme.writer", readAndWrite, { clock: systemClock });
  const stop = new AbortController();
  const first = write("a", "new", { cwd, fs, signal: stop.signal });
  stop.abort();
  const second = await write("a", "old", { cwd, fs, expected: "old" });

  expect(await first).toMatchObject({ detail: "stopped" });
  expect(second).toMatchObject({ kind: "written" });
  expect(await readdir(cwd)).toEqual(["a"]);
});

test("locate returns the target of a write; writeFile with a place refuses any other", async () => {
  await using folder = await createTempFolder();
  const cwd = realpathSync(folder.path);
  await mkdir(join(cwd, "real"));
  await symlink("real", join(cwd, "link"));
  await symlink("/etc", join(cwd, "out"));
  const fs = createFileSystem("acme.writer", readAndWrite, { clock: systemClock });
  const options = { cwd, timeoutMs: 120_000 };

  expect(await fs.locate("link/../link/new", options)).toEqual({ kind: "located", path: join(cwd, "real/new") });
  expect(await fs.locate("link/a/b", options)).toEqual({ kind: "located", path: join(cwd, "real/a/b") });
  expect(await fs.locate("out/motd", options)).toEqual({ kind: "refused", reason: "denied" });

  const place = join(cwd, "real/new");
  expect(await fs.writeFile("link/new", bytesOf("a"), { ...options, place })).toEqual({
    kind: "written",
    path: place,
  });
  await rm(join(cwd, "link"));
  await symlink(".", join(cwd, "link"));
  expect(await fs.writeFile("link/new", bytesOf("b"), { ...options, place })).toEqual({
    kind: "refused",
    reason: "changed",
  });
  expect(await Bun.file(place).text()).toBe("a");
});
