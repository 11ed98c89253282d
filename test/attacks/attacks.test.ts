import { expect, test } from "bun:test";
import { join } from "node:path";
import { attackIds } from "./attacks.ts";
import { citedIds } from "../repository/cited-ids.ts";

const root = join(import.meta.dir, "../..");

const citations = [/\battack\(\s*"([a-z0-9-]+)"/g, /(?:[([]|^)\s*["`]\[attack:([a-z0-9-]+)\]/gm];

test("attacks are in the table once, and each has a test", async () => {
  const cited = await citedIds(...citations);

  expect(attackIds.toSorted()).toEqual([...new Set(attackIds)].toSorted());
  expect([...cited].toSorted()).toEqual(attackIds.toSorted());
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
  const names = await namedInGuide();

  expect(names.length).toBeGreaterThan(20);
  expect(attackIds.filter((id) => !names.some((name) => isNamedBy(id, name)))).toEqual([]);
  expect(names.filter((name) => !attackIds.some((id) => isNamedBy(id, name)))).toEqual([]);
});
