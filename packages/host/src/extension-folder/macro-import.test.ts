import { expect, test } from "bun:test";
import { lineOfMacroImport } from "./macro-import.ts";

test("[attack:bounds-macro-literals] lineOfMacroImport does not look at 100,000 strings one after the other", () => {
  const listOf = (count: number): string => `export default [\n${'"macro",'.repeat(count)}];`;

  expect(lineOfMacroImport(listOf(100_000), "ts")).toBe(2);
  // The control: those that a person may have written are looked at, and are none.
  expect(lineOfMacroImport(listOf(100), "ts")).toBeUndefined();
});

test("lineOfMacroImport finds one that another literal would hide, were both looked at at once", () => {
  const text = `f("\\"macro"); import { x } from './m' with { type: 'macro' }; // " );`;

  expect(lineOfMacroImport(`const f = (_: string) => {};\n${text}\n`, "ts")).toBe(2);
});
