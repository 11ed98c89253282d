import { expect, test } from "bun:test";
import { failureText, ServerFailure } from "./server-failure.ts";

test("failureText is one line, of 500 characters at most that are of others, and says what was no server's doing", () => {
  const whole = "x".repeat(500);

  expect(failureText(new ServerFailure(whole))).toBe(whole);
  expect(failureText(new ServerFailure(`${whole}x`))).toBe(`${whole}…`);
  expect(failureText(new ServerFailure(" ended\n\twith  this "))).toBe("ended with this");
  expect(failureText(new Error("no luck"))).toBe("failed: no luck");
});
