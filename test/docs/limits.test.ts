import { expect, test } from "bun:test";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");
const row = /^\|.*<!-- (?<file>\S+) (?<name>\w+) --> \| (?<value>\d+)(?: (?<unit>\S+))? \|/gm;

const units: ReadonlyMap<string, number> = new Map([
  ["KiB", 1_024],
  ["MiB", 1_048_576],
  ["s", 1_000],
]);

async function numberIn(file: string, name: string): Promise<number> {
  const source = await Bun.file(join(root, file)).text();
  const found =
    new RegExp(`\\bconst ${name} = ([\\d_* ]+);`).exec(source) ??
    new RegExp(`^ *${name}: .*\\.default\\(([\\d_]+)\\)`, "m").exec(source);
  const factors = (found?.[1] ?? "none").split("*").map((factor) => Number(factor.trim().replaceAll("_", "")));
  const product = factors.reduce((value, factor) => value * factor, 1);
  return name.endsWith("Seconds") ? product * 1_000 : product;
}

test("docs/guide/limits.md has the numbers of the code", async () => {
  const page = await Bun.file(join(root, "docs/guide/limits.md")).text();
  const rows = page.matchAll(row).map(({ groups: { file = "", name = "", value = "", unit = "" } = {} }) => ({
    file,
    name,
    value: Number(value) * (units.get(unit) ?? 1),
  }));

  let count = 0;
  for (const { file, name, value } of rows) {
    expect([file, name, await numberIn(file, name)]).toEqual([file, name, value]);
    count += 1;
  }

  const written = page.split("\n").filter((line) => /^\| (?!what \||---)/.test(line));
  expect(count).toBe(written.length);
});
