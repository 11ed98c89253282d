import { expect, test } from "bun:test";
import { testedCommand } from "../support/host-process.ts";
import { said } from "./said.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const columns = 50;
const chinese = "海獺是一種生活在北太平洋沿岸的海洋哺乳動物。";
const title = `獺 ${chinese.repeat(3)}`;

const done = "That was all: ";

async function rowsOf(world: TerminalWorld, ...words: readonly string[]): Promise<readonly string[]> {
  const script = `"$@" 2> /dev/null; echo "${done}$?"`;
  const sitting = world.sit({
    columns,
    rows: 300,
    command: ["sh", "-c", script, "sh", ...testedCommand, ...words],
  });
  await sitting.sees(`${done}0`);
  return sitting.everything().split("\n").slice(0, -1);
}

/** Unbreakable text for copying may be wider. */
function tooWide(rows: readonly string[]): readonly string[] {
  return rows.filter((row) => Bun.stringWidth(row) > columns && !/^ *[!-~]+$/.test(row));
}

async function newWorld(): Promise<TerminalWorld> {
  const world = await newTerminalWorld({ config: "listen = { port = 0 }" }); // The default port may be in use.
  await world.write("AGENTS.md", `${chinese}\n`);
  await world.run([title]);
  return world;
}

test("[trial:tables-50] tables of commands fit 50 columns by stacking cells", async () => {
  await using world = await newWorld();
  const commands = [
    ["models"],
    ["audit"],
    ["audit", "獺"],
    ["extensions"],
    ["prompt", "explain"],
    ["conversations", "explain", "獺"],
    ["doctor"],
  ];

  for (const words of commands) expect([words, tooWide(await rowsOf(world, ...words))]).toEqual([words, []]);
  const models = await rowsOf(world, "models", "local");
  expect(models.slice(0, 3).map((row) => row.trim())).toEqual([
    "*  local/test  window 1,000  reply 500  in 10",
    "out 20  cache read 1  cache write ?",
    "takes text, image",
  ]);
}, 120_000);

test("[trial:tables-50] files and pipes receive complete tables at any width", async () => {
  await using world = await newWorld();

  const { stdout } = await world.run(["models", "local"]);

  expect(stdout).toMatch(/^ +model +window +reply +in +out +cache read +cache write +takes$/m);
  expect(stdout).toMatch(/^\* +local\/test +1,000 +500 +10 +20 +1 +\? +text, image$/m);
}, 60_000);

test("[trial:cjk-50] titles, explanations and lists count a Chinese character as two columns", async () => {
  await using world = await newWorld();

  const list = await rowsOf(world, "list", "--no-pager");
  const explained = await rowsOf(world, "prompt", "explain");

  expect(list[0]).toMatch(/獺 海獺.*…$/);
  expect(tooWide([...list, ...explained])).toEqual([]);
}, 60_000);

test("[trial:cjk-50] the terminal wraps Chinese text within 50 columns completely, with aligned tables", async () => {
  await using world = await newTerminalWorld();
  const table = `| 名前 | name | 備考 |\n| --- | --- | --- |\n| 海獺 | otter | 🦦 泳ぐ |\n| 犬 | dog | 走る |\n`;
  world.model.enqueueText(`${chinese.repeat(4)}\n\n${table}\nThe end`);
  const sitting = await world.open({ columns, rows: 40 });

  await sitting.enterUntil(title, /The end[\s\S]* all/);

  const rows = sitting.everything().split("\n");
  expect(rows.filter((row) => Bun.stringWidth(row) > columns)).toEqual([]);
  expect(rows.join("").replaceAll(" ", "")).toContain(chinese.repeat(4));
  const bars = rows.filter((row) => row.startsWith("│")).map(barsOf);
  expect(bars).toHaveLength(3);
  expect(new Set(bars.map(String)).size).toBe(1);
}, 60_000);

test("[trial:tables-50] the terminal shows a table wider than 50 columns as a list", async () => {
  await using world = await newTerminalWorld();
  const names = ["first-of-the-columns", "second-of-the-columns", "third-of-the-columns"];
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const table = [names, names.map(() => "---"), names.map((_, index) => `value-${index}`)].map(row).join("");
  world.model.enqueueText(`${table}\nThe end`);
  const sitting = await world.open({ columns, rows: 40 });

  await sitting.enterUntil("Show it", /The end[\s\S]* all/);

  const rows = sitting.everything().split("\n");
  expect(rows.filter((text) => Bun.stringWidth(text) > columns)).toEqual([]);
  expect(sitting.screen()).toMatch(
    /- value-0\n +- second-of-the-columns: value-1\n +- third-of-the-columns: value-2/,
  );
}, 60_000);

function barsOf(row: string): readonly number[] {
  const pieces = row.split("│");
  return pieces.map((_, index) => Bun.stringWidth(pieces.slice(0, index).join("│")));
}

test("/cost shows the total even in 20 columns, omitting other figures", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open({ columns: 20, rows: 40 });
  await said(sitting, "Hello there", "Reply 1");

  const table = await said(sitting, "/cost", /Today, total\n.*\$0\.0002/);

  expect(table).toMatch(/^ +calls +cost$/m);
  expect(table).toMatch(/The last turn\n +1 +\$0\.0002$/m);
  for (const row of table.split("\n")) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(20);
}, 60_000);
