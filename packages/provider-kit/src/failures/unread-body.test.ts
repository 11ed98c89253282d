import { expect, test } from "bun:test";
import { unreadBody } from "./call-failure.ts";

test.each([
  ['{"code":"Client specified an invalid argument","error":"Too many tokens"}', "Too many tokens"],
  ['{"object":"error","message":"Invalid role"}', "Invalid role"],
  ['{"detail":"Not Found"}', "Not Found"],
  ['{"error":{"code":["model"],"message":"No such model"}}', "No such model"],
  ['[{"error":{"code":429,"message":"Quota"}}]', "Quota"],
  ['{"detail":[{"msg":"field required"}]}', '{"detail":[{"msg":"field required"}]}'],
  [" no model is loaded\n", "no model is loaded"],
])("unreadBody returns the error message, or the body: %p", (body, said) => {
  expect(unreadBody(body)).toBe(said);
});

test.each(["", " \n", "<html><body>502</body></html>"])("unreadBody returns undefined for %p", (body) => {
  expect(unreadBody(body)).toBeUndefined();
});

test("unreadBody truncates a long body", () => {
  const said = unreadBody(`${"x".repeat(399)}🎉${"y".repeat(10_000)}`) ?? "";

  expect(said.length).toBeLessThan(410);
  expect(said.isWellFormed()).toBe(true);
});
