import { expect, test } from "bun:test";
import { findSecrets } from "./secrets.ts";

test("findSecrets takes what is called a secret for one from three changes between letters and digits, of eight characters, on", () => {
  const isFound = (value: string): boolean => findSecrets(`password = "${value}"`).length === 1;

  expect(isFound("abcdef1ghijkl2mnopqr3")).toBe(true);
  expect(isFound("abcdef1ghijklxmnopqr3")).toBe(false);
  expect(isFound("aaab1cccd2eeee3aaaa")).toBe(true);
  expect(isFound("aaab1cccc2eeee3aaaa")).toBe(false);
});

test("findSecrets tells each place once, in the order of the text, and no more than twenty", () => {
  const certain = "sk-ant-api03-Zm9vYmFyMTIzNDU2Nzg5MA";
  const text = `token: abc1def2ghi3jkl4mno5 and token=${certain}, `;

  expect(findSecrets(text)).toMatchObject([
    { kind: "named a secret", isCertain: false, start: 7, end: 27 },
    { isCertain: true, start: text.indexOf(certain), end: text.indexOf(certain) + certain.length },
  ]);
  expect(findSecrets(text.repeat(30))).toHaveLength(20);
  expect(findSecrets("token: abc1def2ghi3jkl4mno5 ".repeat(21))).toHaveLength(20);
});

test("findSecrets takes what begins where another place ends for a place of its own", () => {
  const key = `AccountKey=${"a1B2".repeat(12)}/token=`;

  expect(findSecrets(`${key}abc1def2ghi3jkl4mno5`)).toMatchObject([
    { kind: "azure-key", start: "AccountKey=".length, end: key.length },
    { kind: "named a secret", start: key.length, end: key.length + 20 },
  ]);
});
