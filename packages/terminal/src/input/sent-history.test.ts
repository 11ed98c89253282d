import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SentHistory } from "./sent-history.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("SentHistory keeps concurrent additions of several terminals in order, in a private file", () => {
  const file = join(folder, "at-once.jsonl");
  const terminals = [new SentHistory(file), new SentHistory(file)];
  const text = (terminal: number, index: number): string => `${terminal}-${index} ${"x".repeat(9_000)}\n"end"`;

  for (let index = 0; index < 50; index += 1)
    for (const [terminal, history] of terminals.entries()) history.add(text(terminal, index));

  const found = new SentHistory(file).newestFirst.toReversed();
  for (const terminal of terminals.keys())
    expect(found.filter((one) => one.startsWith(`${terminal}-`))).toEqual(
      Array.from({ length: 50 }, (_, index) => text(terminal, index)),
    );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("SentHistory keeps the newest 1,000 of a grown file and later additions of others", () => {
  const file = join(folder, "grown.jsonl");
  const before = new SentHistory(file);
  for (let index = 0; index <= 2_000; index += 1) before.add(`text ${index}`);

  const after = new SentHistory(file);
  before.add("from before");
  after.add("from after");

  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1_002);
  expect(new SentHistory(file).newestFirst.slice(0, 3)).toEqual(["from after", "from before", "text 2000"]);
  expect(after.newestFirst.at(-1)).toBe("text 1002");
});

test("SentHistory skips invalid lines and keeps the others", async () => {
  const file = join(folder, "broken.jsonl");
  await Bun.write(file, '"one"\n{"two":2}\n"thr\n\n"four"\n');

  expect(new SentHistory(file).newestFirst).toEqual(["four", "one"]);
});
