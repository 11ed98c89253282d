import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

interface Row {
  readonly what: string;
  readonly count: number;
  readonly paths: readonly string[];
}

async function rows(): Promise<readonly Row[]> {
  const text = await Bun.file(join(root, "CONTRIBUTING.md")).text();
  const section = text.slice(text.indexOf("\n## Where does it go?\n"));
  return [...section.matchAll(/^\| ([^|]+) \| (\d+) \| ([^|]+) \|$/gm)].map(([, what = "", count, where = ""]) => ({
    what,
    count: Number(count),
    paths: [...where.matchAll(/`([^`\s]*\/[^`\s]*)`/g)].map(([, path = ""]) => path),
  }));
}

test('CONTRIBUTING\'s "Where does it go?" lists existing files and counts them correctly', async () => {
  const all = await rows();

  expect(all.length).toBeGreaterThan(6);
  expect(all.flatMap(({ paths }) => paths).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(all.map(({ what, paths }) => [what, new Set(paths).size])).toEqual(
    all.map(({ what, count }) => [what, count]),
  );
});
