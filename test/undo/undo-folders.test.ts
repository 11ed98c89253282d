import { routes } from "@incipit/transport-contract";
import type { ConversationId } from "@incipit/schema";
import { expect, test } from "bun:test";
import { mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { HostProcess } from "../support/host-process.ts";
import { changesOf, startUndo, edit, turn, write } from "./undo-world.ts";

async function putBack(
  { client }: HostProcess,
  id: ConversationId,
  {
    cwd,
    parts,
    ...range
  }: { readonly cwd: string; readonly parts: readonly (readonly string[])[] } & (
    | { readonly from: string }
    | { readonly restoration: string }
  ),
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const names of parts) {
    const body = { ...range, paths: names.map((name) => join(cwd, name)) };
    const { files } = await client.call(routes.restoreFiles, { params: { id }, body });
    expect(files.filter(({ outcome }) => outcome === "left")).toEqual([]);
    removed.push(...files.flatMap(({ removedFolders = [] }) => removedFolders));
  }
  return removed.map((path) => path.slice(cwd.length + 1));
}

const all = ["made/deep/a.txt", "made/deep/b.txt", "made/c.txt", "old/new/d.txt", "mixed/e.txt"];

for (const [how, parts] of [
  ["at once", [all]],
  ["in parts, in whatever order", all.map((name) => [name])],
  ["in parts, the other way round", all.toReversed().map((name) => [name])],
] as const)
  test(`folders created by a turn are undone with their last file, ${how}, if empty`, async () => {
    await using undo = await startUndo();
    const { world, host, id, cwd } = undo;
    await mkdir(join(cwd, "old"));
    world.calls(...all.map((name) => write(name, name)), edit("made/c.txt", "c", "C"));
    const from = await turn(host, id);
    await world.write("mixed/mine.txt", "Mine");

    for (let round = 1; round <= 2; round += 1) {
      const removed = await putBack(host, id, { cwd, parts, from });
      expect(removed.toSorted()).toEqual(["made", "made/deep", "old/new"]);
      expect((await readdir(cwd)).toSorted()).toEqual(["mixed", "old"]);
      expect(await readdir(join(cwd, "old"))).toEqual([]);
      expect(await readdir(join(cwd, "mixed"))).toEqual(["mine.txt"]);
      await putBack(host, id, { cwd, parts, restoration: "newest" });
      for (const name of all) expect(await Bun.file(join(cwd, name)).exists()).toBe(true);
    }
  }, 300_000);

test("undoing a redo removes only the folders that the redo created", async () => {
  await using undo = await startUndo();
  const { world, host, id, cwd } = undo;
  world.calls(write("made/deep/a.txt", "A"));
  const from = await turn(host, id);
  const path = join(cwd, "made/deep/a.txt");
  const restored = async (
    range: { readonly from: string } | { readonly restoration: string },
  ): Promise<{ readonly restoration: string; readonly folders: readonly string[] }> => {
    const body = { ...range, paths: [path] };
    const { files, restoration } = await host.client.call(routes.restoreFiles, { params: { id }, body });
    return { restoration, folders: files[0]?.removedFolders ?? [] };
  };

  const undone = await restored({ from });
  await mkdir(join(cwd, "made"));
  const redone = await restored({ restoration: undone.restoration });
  const back = await restored({ restoration: redone.restoration });

  expect(undone.folders).toEqual([join(cwd, "made/deep"), join(cwd, "made")]);
  expect(back.folders).toEqual([join(cwd, "made/deep")]);
  expect(await readdir(cwd)).toEqual(["made"]);
}, 300_000);

test("a folder that a user created again stays through undo and later turns", async () => {
  await using undo = await startUndo();
  const { world, host, id, cwd } = undo;
  world.calls(write("made/deep/a.txt", "A"), write("again/b.txt", "B"));
  const from = await turn(host, id);
  const parts = [["made/deep/a.txt", "again/b.txt"]];

  const first = await putBack(host, id, { cwd, parts, from });
  await mkdir(join(cwd, "made"));
  await putBack(host, id, { cwd, parts, restoration: "newest" });
  const second = await putBack(host, id, { cwd, parts, from });
  await putBack(host, id, { cwd, parts, restoration: "newest" });
  await rm(join(cwd, "again"), { recursive: true });
  await mkdir(join(cwd, "again"));
  world.calls(write("again/c.txt", "C"));
  await turn(host, id);
  const later = await putBack(host, id, { cwd, parts: [["again/c.txt"]], from });

  expect(first.toSorted()).toEqual(["again", "made", "made/deep"]);
  expect(second.toSorted()).toEqual(["again", "made/deep"]);
  expect(later).toEqual([]);
  expect((await readdir(cwd)).toSorted()).toEqual(["again", "made"]);
}, 300_000);

test("a folder that existed before the turn's file stays, created by any program", async () => {
  await using undo = await startUndo();
  const { world, host, id, cwd } = undo;
  world.calls(write("first/a.txt", "A"));
  await turn(host, id);
  await rm(join(cwd, "first/a.txt"));
  world.calls(write("first/b.txt", "B"), ["shell", { command: "mkdir shell" }], write("shell/c.txt", "C"));
  const from = await turn(host, id);

  const removed = await putBack(host, id, { cwd, parts: [["first/b.txt", "shell/c.txt"]], from });

  expect(removed).toEqual([]);
  expect((await readdir(cwd)).toSorted()).toEqual(["first", "shell"]);
}, 300_000);

test("a link in place of a created folder is neither followed nor removed", async () => {
  await using undo = await startUndo();
  const { world, host, id, cwd } = undo;
  world.calls(write("made/a.txt", "A"));
  const from = await turn(host, id);
  await rename(join(cwd, "made"), join(cwd, "elsewhere"));
  await symlink("elsewhere", join(cwd, "made"));

  const listed = await changesOf(host, id, from);
  const body = { from, paths: [join(cwd, "made/a.txt")] };
  const { files } = await host.client.call(routes.restoreFiles, { params: { id }, body });

  expect(listed.files.map(({ state }) => state)).toEqual(["changed"]);
  expect(files.map(({ outcome, removedFolders }) => [outcome, removedFolders])).toEqual([["left", undefined]]);
  expect((await readdir(cwd)).toSorted()).toEqual(["elsewhere", "made"]);
  expect(await readdir(join(cwd, "elsewhere"))).toEqual(["a.txt"]);
}, 300_000);
