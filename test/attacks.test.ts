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
