import { expect, test } from "bun:test";
import { tokenText } from "./token-text.ts";

test("tokenText names the tokenizer or marks an estimate", () => {
  expect(tokenText({ count: 1, method: "o200k_base" })).toBe("1 token (o200k_base)");
  expect(tokenText({ count: 12, method: "estimate" })).toBe("about 12 tokens");
});
