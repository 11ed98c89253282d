import { expect, test } from "bun:test";
import { failureText, ServerFailure } from "./server-failure.ts";

test("failureText returns one line with at most 500 foreign characters and marks the host's own errors", () => {
  const whole = "x".repeat(500);

  expect(failureText(new ServerFailure(whole))).toBe(whole);
  expect(failureText(new ServerFailure(`${whole}x`))).toBe(`${whole}…`);
  expect(failureText(new ServerFailure(" ended\n\twith  this "))).toBe("ended with this");
  expect(failureText(new Error("no luck"))).toBe("failed: no luck");
});
