import { expect, test } from "bun:test";
import { entitiesProblem } from "./bot-text.ts";

function problem(...entities: readonly (readonly [string, number, number])[]): string | undefined {
  const url = "https://acme.test/";
  return entitiesProblem(
    "0123456789🎉",
    entities.map(([type, offset, length]) => ({ type, offset, length, ...(type === "text_link" ? { url } : {}) })),
  );
}

test("entitiesProblem accepts valid entities", () => {
  expect(problem()).toBeUndefined();
  expect(problem(["bold", 0, 5], ["italic", 1, 2], ["text_link", 2, 1])).toBeUndefined();
  expect(problem(["text_link", 0, 5], ["bold", 0, 5])).toBeUndefined();
  expect(problem(["blockquote", 0, 12], ["code", 1, 2], ["bold", 4, 2])).toBeUndefined();
  expect(problem(["bold", 10, 2])).toBeUndefined();
  expect(problem(["code", 0, 2], ["pre", 2, 2])).toBeUndefined();
});

test("entitiesProblem reports rejected and silently fixed entities", () => {
  expect(problem(["bold", 0, 13])).toContain("out of bounds");
  expect(problem(["bold", -1, 2])).toContain("out of bounds");
  expect(problem(["bold", 1, 0])).toContain("out of bounds");
  expect(problem(["bold", 0, 11])).toContain("UTF-16");
  expect(problem(["bold", 11, 1])).toContain("UTF-16");
  expect(problem(["bold", 0, 3], ["italic", 2, 3])).toContain("overlaps");
  expect(problem(["bold", 0, 3], ["code", 1, 1])).toContain("fixed width");
  expect(problem(["pre", 0, 3], ["code", 1, 1])).toContain("fixed width");
  expect(problem(["text_link", 0, 3], ["code", 1, 1])).toContain("fixed width");
  expect(problem(["blockquote", 0, 9], ["blockquote", 1, 1])).toContain("quote in a quote");
  expect(problem(["shout", 0, 1])).toContain("unsupported");
});
