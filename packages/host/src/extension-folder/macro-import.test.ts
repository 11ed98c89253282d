import { expect, test } from "bun:test";
import { lineOfMacroImport } from "./macro-import.ts";

test("[attack:bounds-macro-literals] lineOfMacroImport does not check 100,000 literals one by one", () => {
  const listOf = (count: number): string => `export default [\n${'"macro",'.repeat(count)}];`;

  expect(lineOfMacroImport(listOf(100_000), "ts")).toBe(2);
  expect(lineOfMacroImport(listOf(100), "ts")).toBeUndefined();
});

test("lineOfMacroImport finds a macro import that another literal would hide in a joint check", () => {
  const text = `f("\\"macro"); import { x } from './m' with { type: 'macro' }; // " );`;

  expect(lineOfMacroImport(`const f = (_: string) => {};\n${text}\n`, "ts")).toBe(2);
});
