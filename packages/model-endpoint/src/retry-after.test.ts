import { expect, test } from "bun:test";
import { retryAfter } from "./retry-after.ts";

function gemini(retryDelay: unknown): object {
  const details = [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure" }, { retryDelay }];
  return { error: { code: 429, message: "m", status: "RESOURCE_EXHAUSTED", details } };
}

test("retryAfter reads milliseconds, seconds, a date by the vendor's clock, and what Gemini has in its body", () => {
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

test("retryAfter is undefined for what is no time to wait", () => {
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
