import { expect, test } from "bun:test";
import { addAuditSummaries, emptyAuditSummary } from "./audit-sums.ts";
import { auditSummarySchema, type AuditSummary } from "./audit.ts";

const early = "2026-01-01T00:00:00.000Z";
const late = "2026-02-01T00:00:00.000Z";

/** Distinct powers of two, so that sums cannot be confused. */
const one: AuditSummary = auditSummarySchema.parse({
  steps: 1,
  held: 2,
  expected: 4,
  broken: 8,
  reasons: { compaction: 16 },
  previousBytes: 100,
  sharedBytes: 50,
  share: 0.5,
  tokens: { input: 32, cacheRead: 64, cacheWrite: null },
  unreportedSteps: 128,
  inputUsd: { billed: 256, withoutCache: 512, wasted: 1_024 },
  pricedSteps: 2_048,
  firstStepAt: early,
  lastStepAt: early,
});
const other: AuditSummary = {
  ...one,
  reasons: { compaction: 1, "tools-changed": 2 },
  previousBytes: 300,
  sharedBytes: 50,
  tokens: { input: 1, cacheRead: null, cacheWrite: null },
  inputUsd: { billed: 1, withoutCache: 2, wasted: 3 },
  firstStepAt: late,
  lastStepAt: late,
};

test("addAuditSummaries adds each figure, and computes shares from bytes", () => {
  const sum = {
    steps: 2,
    held: 4,
    expected: 8,
    broken: 16,
    reasons: { compaction: 17, "tools-changed": 2 },
    previousBytes: 400,
    sharedBytes: 100,
    share: 0.25,
    tokens: { input: 33, cacheRead: 64, cacheWrite: null },
    unreportedSteps: 256,
    inputUsd: { billed: 257, withoutCache: 514, wasted: 1_027 },
    pricedSteps: 4_096,
    firstStepAt: early,
    lastStepAt: late,
  };

  expect(addAuditSummaries(one, other)).toEqual(sum);
  expect(addAuditSummaries(other, one)).toEqual(sum);
});

test("addAuditSummaries with an empty summary returns the other one", () => {
  expect(addAuditSummaries(emptyAuditSummary, one)).toEqual(one);
  expect(addAuditSummaries(one, emptyAuditSummary)).toEqual(one);
  expect(addAuditSummaries(emptyAuditSummary, emptyAuditSummary)).toEqual(emptyAuditSummary);
});

test("addAuditSummaries stays valid for extreme counts of a vendor", () => {
  const tokens = { input: Number.MAX_SAFE_INTEGER, cacheRead: Number.MAX_SAFE_INTEGER, cacheWrite: null };
  const most = { ...emptyAuditSummary, tokens };

  const sum = addAuditSummaries(most, most);

  expect(auditSummarySchema.parse(sum).tokens).toEqual(tokens);
});
