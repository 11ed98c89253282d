import { expect, test } from "bun:test";
import { parseCommandCall } from "./command-call.ts";

test("parseCommandCall accepts only a slash, a name and optional arguments", () => {
  expect(parseCommandCall("/review")).toEqual({ name: "review" });
  expect(parseCommandCall('/review  main  "two words"\nmore ')).toEqual({
    name: "review",
    arguments: 'main  "two words"\nmore',
  });
  for (const text of [
    "review",
    " /review",
    "/",
    "/etc/hosts is what?",
    "//review",
    "/-x",
    `/${"a".repeat(65)}`,
    "/ä b",
  ])
    expect(parseCommandCall(text)).toBeUndefined();
});
