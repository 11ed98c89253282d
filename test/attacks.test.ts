import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { attacks } from "./attacks.ts";

const root = join(import.meta.dir, "..");

async function citedIds(): Promise<ReadonlySet<string>> {
  const cited = new Set<string>();
  for await (const path of new Glob("{packages,extensions,test}/**/*.test.ts").scan({ cwd: root })) {
    if (path.includes("node_modules")) continue;
    const source = await Bun.file(join(root, path)).text();
    for (const [, id] of source.matchAll(/\battack\(\s*"([a-z0-9-]+)"/g)) if (id !== undefined) cited.add(id);
    for (const [, id] of source.matchAll(/\btest\(\s*"\[attack:([a-z0-9-]+)\]/g))
      if (id !== undefined) cited.add(id);
  }
  return cited;
}

test("attacks each have a test that tries them", async () => {
  const cited = await citedIds();

  const untried = Object.keys(attacks).filter((id) => !cited.has(id));

  expect(untried).toEqual([]);
});

test("attacks that tests try are in the table", async () => {
  const cited = await citedIds();

  const unknown = [...cited].filter((id) => !Object.hasOwn(attacks, id));

  expect(unknown).toEqual([]);
});

/** Attacks that a line of the guide names, with the `*` of those that stand for several. */
async function namedInGuide(): Promise<readonly string[]> {
  const guide = await Bun.file(join(root, "docs/guide/security.md")).text();
  const rows = guide.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  const cells = rows.flatMap((row) => row.split(" | ").at(-1) ?? []).filter((cell) => cell.includes("`"));
  return cells.flatMap((cell) => [...cell.matchAll(/`([a-z0-9*-]+)`/g)].flatMap(([, id]) => id ?? []));
}

function isNamedBy(id: string, name: string): boolean {
  return new Bun.Glob(name).match(id);
}

test("attacks each stand behind a line of the security guide, and each line behind attacks that exist", async () => {
  const ids = Object.keys(attacks);
  const names = await namedInGuide();

  expect(names.length).toBeGreaterThan(20);
  expect(ids.filter((id) => !names.some((name) => isNamedBy(id, name)))).toEqual([]);
  expect(names.filter((name) => !ids.some((id) => isNamedBy(id, name)))).toEqual([]);
});
