import type { CallState } from "@incipit/model-endpoint";
import { expect, test } from "bun:test";
import { toFailure } from "./failure.ts";

function state(outcome: CallState["outcome"]): CallState {
  return { provider: "acme", outcome, hasContent: true, hideKey: (text) => text };
}
const answered = state({ kind: "answered", contentType: "text/event-stream", isBroken: false });

test("toFailure takes the number of an error in a stream for a status where it can be one of an error", () => {
  const codes = [399, 400, 429, 503, 599, 600].map(
    (code) => toFailure({ message: "It broke", code, data: undefined }, answered).code,
  );

  expect(codes).toEqual(["FAILED", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "VENDOR_FAILED", "FAILED"]);
});

test("toFailure says of what a package throws before anything has left that the request could not be written", () => {
  expect(toFailure(new TypeError("it has a hole"), state({ kind: "none" }))).toEqual({
    code: "FAILED",
    message: 'Cannot write the request to "acme": it has a hole',
    isRetryable: false,
  });
});

test("toFailure tells a connection that broke from an answer that a package cannot read", () => {
  const broken = state({ kind: "answered", contentType: "text/event-stream", isBroken: true });
  const told = [broken, answered].map((of) => toFailure(new TypeError("no more"), of));

  expect(told).toMatchObject([
    { code: "CUT_OFF", isRetryable: true },
    { code: "BAD_RESPONSE", message: expect.stringContaining("no more") },
  ]);
});
