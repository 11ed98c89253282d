import { emptyAuditSummary, stepIdSchema, turnIdSchema, type AuditedStep } from "@incipit/schema";
import { expect, test } from "bun:test";
import { withStep } from "./step-sum.ts";

const id = "0199a000-0000-7000-8000-000000000001";
const step: AuditedStep = {
  id: stepIdSchema.parse(id),
  turnId: turnIdSchema.parse(id),
  epoch: 1,
  purpose: "turn",
  model: "test/model",
  startedAt: "2026-01-01T00:00:00.000Z",
  usage: { inputTokens: 10, outputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3 },
  verdict: "broken",
  reason: "history-edited",
  share: null,
  prefix: null,
  inputUsd: { billed: 5, withoutCache: 6, unbroken: 2 },
  warning: null,
};

test("withStep counts the extra cost of a cache break as wasted, if positive", () => {
  const cheaper = { billed: 1, withoutCache: 6, unbroken: 2 };
  const sums = [step, { ...step, verdict: "held" } as const, { ...step, inputUsd: cheaper }].map(
    (one) => withStep(emptyAuditSummary, one).inputUsd,
  );

  expect(sums).toEqual([
    { billed: 5, withoutCache: 6, wasted: 3 },
    { billed: 5, withoutCache: 6, wasted: 0 },
    { billed: 1, withoutCache: 6, wasted: 0 },
  ]);
});

test("withStep counts steps without usage and skips unsent ones", () => {
  const uncounted = { inputTokens: null, outputTokens: 1, cacheReadTokens: null, cacheWriteTokens: null };
  const sums = [step, { ...step, usage: null }, { ...step, usage: uncounted }].map((one) =>
    withStep(emptyAuditSummary, { ...one, inputUsd: null }),
  );

  expect(sums.map(({ unreportedSteps }) => unreportedSteps)).toEqual([0, 1, 1]);
  expect(sums.map(({ inputUsd, pricedSteps }) => [inputUsd, pricedSteps])).toEqual([
    [null, 0],
    [null, 0],
    [null, 0],
  ]);
  expect(withStep(emptyAuditSummary, { ...step, verdict: "unsent" })).toEqual(emptyAuditSummary);
});
