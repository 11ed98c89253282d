import { expect, test } from "bun:test";
import { retryAfter } from "./retry-after.ts";

function gemini(retryDelay: unknown): object {
  const details = [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure" }, { retryDelay }];
  return { error: { code: 429, message: "m", status: "RESOURCE_EXHAUSTED", details } };
}

test("retryAfter reads milliseconds, seconds, a date by the vendor's clock, and Gemini's body", () => {
  const date = "Sat, 21 Nov 2026 12:00:00 GMT";
  const later = "Sat, 21 Nov 2026 12:00:09 GMT";
  for (const [headers, body, expected] of [
    [{ "retry-after-ms": "642", "retry-after": "1" }, undefined, 642],
    [{ "retry-after": "7" }, gemini("34s"), 7_000],
    [{ "retry-after": later, date }, undefined, 9_000],
    [{ "retry-after": "0" }, gemini("34s"), 0],
    [{}, gemini("34.07s"), 34_070],
    [{}, [gemini("2s")], 2_000],
  ] as const)
    expect(retryAfter({ headers, body })).toBe(expected);
});

test("retryAfter returns undefined for invalid delays", () => {
  for (const [headers, body] of [
    [{}, undefined],
    [{ "retry-after": "soon" }, "soon"],
    [{ "retry-after": "-1" }, {}],
    [{}, gemini("a while")],
    [{}, gemini(34)],
    [{}, { error: { details: "none" } }],
  ] as const)
    expect(retryAfter({ headers, body })).toBeUndefined();
});

test.each([
  ["Rate limit reached. Please try again in 20s.", 20_000],
  ["Please try again in 1m12.5s. Visit the page for more.", 72_500],
  ["Please try again in 642ms.", 642],
  ["Too many requests, retry after 3 seconds", 3_000],
  ["Please retry in 34.07s.", 34_070],
  ["wait for about 2 minutes and 5 seconds", 125_000],
  ["try again in 1 hour", 3_600_000],
  ["try again in 5 messages", undefined],
  ["limit of 20 requests in 60s", undefined],
  ["try again later", undefined],
] as const)("retryAfter reads a message: %s", (message, expected) => {
  expect(retryAfter({ headers: {}, body: undefined, message })).toBe(expected);
  expect(retryAfter({ headers: { "retry-after": "1" }, body: undefined, message })).toBe(1_000);
});
