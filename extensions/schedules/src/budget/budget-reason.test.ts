import { nothingSpent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { budgetReason } from "./budget-reason.ts";

const bounds = {
  what: "The heartbeat has",
  tokens: { max: 100, key: "heartbeat.max_tokens_per_day" },
  usd: { max: 0.5, key: "heartbeat.max_usd_per_day" },
};

test("budgetReason returns undefined below the limits, and without limits", () => {
  const none = { ...bounds, tokens: { ...bounds.tokens, max: null }, usd: { ...bounds.usd, max: null } };

  expect(budgetReason({ tokens: 99, usd: 0.49, unpriced: 3 }, bounds)).toBeUndefined();
  expect(budgetReason({ tokens: 1e9, usd: 1e6, unpriced: 0 }, none)).toBeUndefined();
});

test("budgetReason names the usage, the limit and its key, and calls without a price", () => {
  expect(budgetReason({ ...nothingSpent, tokens: 100 }, bounds)).toBe(
    "The heartbeat has used 100 tokens today, and heartbeat.max_tokens_per_day allows 100; it goes on tomorrow",
  );
  expect(budgetReason({ tokens: 1, usd: 0.5123, unpriced: 0 }, bounds)).toBe(
    "The heartbeat has cost $0.51 today, and heartbeat.max_usd_per_day allows $0.50; it goes on tomorrow",
  );
  expect(budgetReason({ tokens: 1, usd: 12, unpriced: 2 }, bounds)).toContain(
    "$12.00 today (2 calls have no known price, on top of that)",
  );
  expect(budgetReason({ tokens: 1, usd: 12, unpriced: 1 }, bounds)).toContain("(1 call has no known price, on");
});
