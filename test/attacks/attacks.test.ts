import { expect, test } from "bun:test";
import { join } from "node:path";
import { attacks } from "./attacks.ts";
import { citedIds } from "../repository/cited-ids.ts";

const root = join(import.meta.dir, "../..");

const citations = [/\battack\(\s*"([a-z0-9-]+)"/g, /\(\s*["`]\[attack:([a-z0-9-]+)\]/g];

test("attacks each have a test", async () => {
  const cited = await citedIds(...citations);

  const untried = Object.keys(attacks).filter((id) => !cited.has(id));

  expect(untried).toEqual([]);
});

test("attacks in tests are in the table", async () => {
  const cited = await citedIds(...citations);

  const unknown = [...cited].filter((id) => !Object.hasOwn(attacks, id));

  expect(unknown).toEqual([]);
});

async function namedInGuide(): Promise<readonly string[]> {
  const guide = await Bun.file(join(root, "docs/guide/security.md")).text();
  const rows = guide.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  const cells = rows.flatMap((row) => row.split(" | ").at(-1) ?? []).filter((cell) => cell.includes("`"));
  return cells.flatMap((cell) => [...cell.matchAll(/`([a-z0-9*-]+)`/g)].flatMap(([, id]) => id ?? []));
}

function isNamedBy(id: string, name: string): boolean {
  return new Bun.Glob(name).match(id);
}

test("the security guide covers every attack, and each of its claims has attacks", async () => {
  const ids = Object.keys(attacks);
  const names = await namedInGuide();

  expect(names.length).toBeGreaterThan(20);
  expect(ids.filter((id) => !names.some((name) => isNamedBy(id, name)))).toEqual([]);
  expect(names.filter((name) => !ids.some((id) => isNamedBy(id, name)))).toEqual([]);
});
