import { expect, test } from "bun:test";
import { Glob } from "bun";
import { join } from "node:path";
import { promises } from "./promises.ts";

const root = join(import.meta.dir, "..");

async function citedIds(): Promise<ReadonlySet<string>> {
  const cited = new Set<string>();
  for await (const path of new Glob("{packages,extensions,test}/**/*.test.ts").scan({ cwd: root })) {
    if (path.includes("node_modules")) continue;
    const source = await Bun.file(join(root, path)).text();
    for (const [, id] of source.matchAll(/\btest\(\s*"\[([a-z-]+)\]/g)) if (id !== undefined) cited.add(id);
  }
  return cited;
}

test("promises each have a test that cites them", async () => {
  const cited = await citedIds();

  const untested = Object.keys(promises).filter((id) => !cited.has(id));

  expect(untested).toEqual([]);
});

test("promises that tests cite exist", async () => {
  const cited = await citedIds();

  const unknown = [...cited].filter((id) => !Object.hasOwn(promises, id));

  expect(unknown).toEqual([]);
});
