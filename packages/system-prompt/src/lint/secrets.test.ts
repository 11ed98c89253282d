import { expect, test } from "bun:test";
import { findSecrets } from "./secrets.ts";

test("findSecrets requires three letter-digit changes and eight distinct characters for a named secret", () => {
  const isFound = (value: string): boolean => findSecrets(`password = "${value}"`).length === 1;

  expect(isFound("abcdef1ghijkl2mnopqr3")).toBe(true);
  expect(isFound("abcdef1ghijklxmnopqr3")).toBe(false);
  expect(isFound("aaab1cccd2eeee3aaaa")).toBe(true);
  expect(isFound("aaab1cccc2eeee3aaaa")).toBe(false);
});

test("findSecrets reports each range once, in text order, and at most twenty", () => {
  const certain = "sk-ant-api03-Zm9vYmFyMTIzNDU2Nzg5MA";
  const text = `token: abc1def2ghi3jkl4mno5 and token=${certain}, `;

  expect(findSecrets(text)).toMatchObject([
    { kind: "named a secret", isCertain: false, start: 7, end: 27 },
    { isCertain: true, start: text.indexOf(certain), end: text.indexOf(certain) + certain.length },
  ]);
  expect(findSecrets(text.repeat(30))).toHaveLength(20);
  expect(findSecrets("token: abc1def2ghi3jkl4mno5 ".repeat(21))).toHaveLength(20);
});

test("findSecrets reports adjacent ranges separately", () => {
  const key = `AccountKey=${"a1B2".repeat(12)}/token=`;

  expect(findSecrets(`${key}abc1def2ghi3jkl4mno5`)).toMatchObject([
    { kind: "azure-key", start: "AccountKey=".length, end: key.length },
    { kind: "named a secret", start: key.length, end: key.length + 20 },
  ]);
});
