import { emptyAuditSummary } from "@incipit/schema";
import { expect, test } from "bun:test";
import { dollars, percent, summaryText } from "./audit-text.ts";

test("percent never rounds up to 100 %", () => {
  expect([0, 0.999, 1].map(percent)).toEqual(["0 %", "99 %", "100 %"]);
});

test("dollars formats two decimals, or two significant digits below a dollar", () => {
  expect([0, 0.01234, 1, 12.345].map(dollars)).toEqual(["$0.00", "$0.012", "$1.00", "$12.35"]);
});

test("summaryText reports counts of intact and broken prefixes and their cost", () => {
  const summary = {
    ...emptyAuditSummary,
    steps: 1_200,
    held: 1_100,
    broken: 60,
    expected: 40,
    share: 0.5,
    tokens: { input: 9_000, cacheRead: 4_000, cacheWrite: 300 },
    unreportedSteps: 2,
    inputUsd: { billed: 2, withoutCache: 3, wasted: 0.5 },
  };

  expect(summaryText(summary))
    .toBe(`1,200 model calls: 1,100 with an intact prefix, 60 cache breaks, 40 changed on request
50 % of the sent bytes were reused
Input: 9,000 tokens, 4,000 read from the cache, 300 written to it (2 calls without a report)
Cost of the input: $2.00, without any cache $3.00
Cache breaks cost about $0.50 of it
`);
});

test("summaryText omits zero counts and mentions missing reports", () => {
  const tokens = { input: 1, cacheRead: null, cacheWrite: null };

  expect(summaryText({ ...emptyAuditSummary, steps: 1, held: 1 })).toBe(
    "1 model call: 1 with an intact prefix\nThe vendor reported no tokens\n",
  );
  expect(
    summaryText({
      ...emptyAuditSummary,
      steps: 2,
      held: 2,
      tokens,
      inputUsd: { billed: 0, withoutCache: 0, wasted: 0 },
    }),
  ).toBe(
    "2 model calls: 2 with an intact prefix\nInput: 1 tokens, cache reads were not reported\nCost of the input: $0.00, without any cache $0.00\n",
  );
});
