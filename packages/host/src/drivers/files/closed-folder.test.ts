import type { FileRead, FileSystem } from "@incipit/kernel";
import { createTempFolder, type TempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { realpathSync } from "node:fs";
import { link, mkdir, open, readdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { ClosedFolder } from "./closed-folder.ts";
import { createFileSystem } from "./file-system.ts";

const limits = { maxBytes: 1_000, maxEntries: 100, timeoutMs: 120_000 };

interface World extends AsyncDisposable {
  readonly root: string;
  readonly data: string;
  readonly closed: FileSystem;
  readonly open: FileSystem;
}

async function createWorld(): Promise<World> {
  const folder: TempFolder = await createTempFolder();
  const root = realpathSync(folder.path);
  const data = join(root, "home/data");
  await mkdir(data, { recursive: true });
  await mkdir(join(root, "work"));
  await Bun.write(join(data, "token"), "secret");
  const options = { clock: systemClock };
  return {
    root,
    data,
    closed: createFileSystem("acme.any", true, { ...options, closed: new ClosedFolder(data) }),
    open: createFileSystem("acme.any", true, options),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function textOf(read: FileRead): string {
  return read.kind === "read" ? new TextDecoder().decode(read.bytes) : read.reason;
}

async function reads(world: World, path: string): Promise<readonly string[]> {
  const options = { ...limits, cwd: join(world.root, "work") };
  const both = await Promise.all([world.closed, world.open].map((fs) => fs.readFile(path, options)));
  return both.map(textOf);
}

test("[attack:data-folder-read-by-path] readFile denies the host's data under every spelling of its path", async () => {
  await using world = await createWorld();
  const paths = ["../home/data/token", join(world.data, "token"), `${world.data}/./x/../token`, "/proc/self/cwd/x"];
  await symlink(world.data, join(world.root, "work/link"));
  await symlink("../home", join(world.root, "work/above"));
  await symlink(join(world.data, "token"), join(world.root, "work/file"));

  for (const path of [
    ...paths.slice(0, 3),
    "link/token",
    "above/data/token",
    "file",
    `/proc/self/root${world.data}/token`,
  ])
    expect([path, ...(await reads(world, path))]).toEqual([path, "denied", "secret"]);
});

test("[attack:data-folder-existence] readFile does not reveal whether a file of the host's data exists", async () => {
  await using world = await createWorld();
  await symlink(join(world.data, "nothing"), join(world.root, "work/dangling"));

  for (const path of [join(world.data, "nothing"), "dangling"])
    expect([path, ...(await reads(world, path))]).toEqual([path, "denied", "not-found"]);
});

test("[attack:data-folder-hard-link] readFile denies hard links to the host's data", async () => {
  await using world = await createWorld();
  await link(join(world.data, "token"), join(world.root, "work/notes.txt"));

  expect(await reads(world, "notes.txt")).toEqual(["denied", "secret"]);
});

test("readFile reads a file whose reused inode belonged to the host's data before", async () => {
  await using world = await createWorld();
  await link(join(world.data, "token"), join(world.root, "work/notes.txt"));
  const before = await reads(world, "notes.txt");
  await rename(join(world.data, "token"), join(world.root, "work/gone.txt"));

  expect(before).toEqual(["denied", "secret"]);
  expect(await reads(world, "notes.txt")).toEqual(["secret", "secret"]);
});

test("[attack:data-folder-open-file] readFile denies files that the host has open through /proc", async () => {
  await using world = await createWorld();
  await using handle = await open(join(world.data, "token"));

  expect(await reads(world, `/proc/self/fd/${handle.fd}`)).toEqual(["denied", "secret"]);
  expect(await reads(world, `/proc/${process.pid}/task/${process.pid}/fd/${handle.fd}`)).toEqual([
    "denied",
    "secret",
  ]);
});

test("[attack:data-folder-moved] readFile denies the host's data after a parent folder was renamed", async () => {
  await using world = await createWorld();
  await rename(join(world.root, "home"), join(world.root, "elsewhere"));

  expect(await reads(world, "../elsewhere/data/token")).toEqual(["denied", "secret"]);
});

test("[attack:data-folder-mounted] readFile denies the host's data through another mount", async () => {
  await using world = await createWorld();
  const mounted = join(world.root, "work/mounted");
  await mkdir(mounted);
  const mount = Bun.spawnSync(["mount", "--bind", world.data, mounted], { stderr: "ignore" });
  // Without the privilege to mount, a link leads to the same folder identity.
  if (mount.exitCode !== 0) await symlink(world.data, join(mounted, "link"));

  try {
    const path = mount.exitCode === 0 ? "mounted/token" : "mounted/link/token";
    expect(await reads(world, path)).toEqual(["denied", "secret"]);
  } finally {
    if (mount.exitCode === 0) Bun.spawnSync(["umount", mounted]);
  }
});

test("[attack:data-folder-process-environment] readFile denies the environment of any process", async () => {
  await using world = await createWorld();

  for (const path of ["/proc/self/environ", `/proc/${process.pid}/environ`, "/proc/thread-self/environ"])
    expect((await world.closed.readFile(path, { ...limits, cwd: "/", maxBytes: 1_000_000 })).kind).toBe("absent");
  const control = await world.open.readFile("/proc/self/environ", { ...limits, cwd: "/", maxBytes: 1_000_000 });
  expect(control.kind).toBe("read");
});

test("[attack:data-folder-list] list denies the host's data and omits its folder from the parent", async () => {
  await using world = await createWorld();
  const options = { ...limits, cwd: world.root };

  for (const path of ["home/data", "work/../home/data/"])
    expect(await world.closed.list(path, options)).toEqual({ kind: "absent", reason: "denied" });
  expect(await world.closed.list("home", options)).toMatchObject({ kind: "listed", entries: [], leftOut: 0 });
  expect(await world.open.list("home", options)).toMatchObject({ entries: [{ name: "data" }] });
});

test("[attack:data-folder-write] writeFile neither changes nor creates files in the host's data", async () => {
  await using world = await createWorld();
  await symlink(world.data, join(world.root, "work/link"));
  await symlink(join(world.data, "extensions.json"), join(world.root, "work/dangling"));
  const options = { ...limits, cwd: join(world.root, "work"), createFolders: true };
  const bytes = new TextEncoder().encode("mine");
  const paths = ["../home/data/token", "link/token", "link/extensions.json", "dangling", "link/new/folder/file"];

  for (const path of paths)
    expect([path, await world.closed.writeFile(path, bytes, options)]).toMatchObject([path, { reason: "denied" }]);

  expect(await readdir(world.data)).toEqual(["token"]);
  expect(await Bun.file(join(world.data, "token")).text()).toBe("secret");
  for (const path of paths)
    expect([path, await world.open.writeFile(path, bytes, options)]).toMatchObject([path, { kind: "written" }]);
});

test("ClosedFolder.holds still detects the host's data after a check of a neighbouring folder", async () => {
  await using world = await createWorld();
  const closed = new ClosedFolder(world.data);

  expect(await closed.holds(join(world.root, "home/other"))).toBe(false);
  expect(await closed.holds(world.data)).toBe(true);
  expect(await closed.holds(join(world.root, "home/datas/token"))).toBe(false);
});
