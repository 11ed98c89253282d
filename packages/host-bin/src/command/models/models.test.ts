import type { Model } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { runAgainst } from "../testing/run-command.ts";

const unknown: Model = {
  id: "local/unheard-of",
  provider: "local",
  isReady: true,
  problem: null,
  isDefault: true,
  facts: null,
};
const prices = { input: 0.3, output: 12, cacheRead: 0.006, cacheWrite: null };
const facts: Model["facts"] = {
  contextWindow: 1_000_000,
  maxOutputTokens: 384_000,
  prices,
  inputs: ["text", "image"],
  source: "catalogue",
};
const known: Model = {
  ...unknown,
  id: "ours/flash",
  provider: "ours",
  isReady: false,
  problem: "set OURS_KEY",
  isDefault: false,
  facts,
};

async function run(listed: readonly Model[], ...words: readonly string[]): Promise<readonly [string, string]> {
  const { stdout, stderr } = await runAgainst(["models", ...words], { models: listed });
  return [stdout, stderr];
}

test("models right-aligns numbers and prints remarks below the table", async () => {
  const [stdout, stderr] = await run([unknown, known]);

  expect(stdout.split("\n")).toEqual([
    "   model                window    reply   in  out  cache read  cache write  takes",
    "*  local/unheard-of          ?        ?    ?    ?           ?            ?  ?",
    "-  ours/flash        1,000,000  384,000  0.3   12       0.006            ?  text, image",
    "",
  ]);
  expect(stderr).toContain("? is not known. From: catalogue)\n");
  expect(stderr).toEndWith("- ours: set OURS_KEY\n");
  expect(stderr).not.toContain("for a long input");
});

test("models prints fact sources, missing keys and surcharges for long inputs once", async () => {
  const long = { ...facts, prices: { ...prices, longInput: { ...prices, aboveTokens: 200_000 } } };
  const others = [{ ...known, id: "ours/pro", facts: { ...long, source: "a list" } }, known];

  const [stdout, stderr] = await run([...others, known]);

  expect(stdout.split("\n")).toHaveLength(5);
  expect(stderr).toContain(
    "From: a list; catalogue)\n(Some cost more for a long input: --json has it)\n- ours: set",
  );
  expect(stderr.match(/- ours/g)).toHaveLength(1);
});

test("models distinguishes no match from no models at all", async () => {
  expect(await run([unknown, known], "flash", "local")).toEqual([
    "",
    'No model of 2 has "flash" and "local" in its name\n',
  ]);
  expect((await run([], "flash"))[1]).not.toContain("No model of");
});
