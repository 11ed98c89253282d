import { describeCapabilities } from "@incipit/kernel";
import { escapeHiddenLine } from "@incipit/schema";
import { expect, test } from "bun:test";

test("describeCapabilities escapes the same characters as escapeHiddenLine", () => {
  const shown: string[] = [];
  for (let code = 0; code < 0x11_0000; code += 1) {
    const character = String.fromCodePoint(code);
    if (!/[\p{C}\p{DI}\p{Z}\u2800]/u.test(character) || escapeHiddenLine(`a${character}`) === `a${character}`)
      continue;
    if (describeCapabilities({ spawn: [`a${character}`] }).some((line) => line.includes(character)))
      shown.push(code.toString(16));
  }
  expect(shown).toEqual([]);
});
