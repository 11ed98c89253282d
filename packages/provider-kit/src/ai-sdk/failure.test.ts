import type { CallState } from "../failures/call-failure.ts";
import { expect, test } from "bun:test";
import { toFailure } from "./failure.ts";

function state(outcome: CallState["outcome"]): CallState {
  return { provider: "acme", outcome, hasContent: true, hideKey: (text) => text };
}
const answered = state({ kind: "answered", contentType: "text/event-stream", isBroken: false });

test("toFailure treats a numeric error code in a stream as a status if valid", () => {
  const codes = [399, 400, 429, 503, 599, 600].map(
    (code) => toFailure({ message: "It broke", code, data: undefined }, answered).code,
  );

  expect(codes).toEqual(["FAILED", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "VENDOR_FAILED", "FAILED"]);
});

test("toFailure reports that the request could not be written for errors before sending", () => {
  expect(toFailure(new TypeError("it has a hole"), state({ kind: "none" }))).toEqual({
    code: "FAILED",
    message: 'Cannot write the request to "acme": it has a hole',
    isRetryable: false,
  });
});

test("toFailure distinguishes a broken connection from an unreadable answer", () => {
  const broken = state({ kind: "answered", contentType: "text/event-stream", isBroken: true });
  const told = [broken, answered].map((of) => toFailure(new TypeError("no more"), of));

  expect(told).toMatchObject([
    { code: "CUT_OFF", isRetryable: true },
    { code: "BAD_RESPONSE", message: expect.stringContaining("no more") },
  ]);
});
