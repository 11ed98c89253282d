import { expect, test } from "bun:test";
import { refusedProperty } from "./portable-schemas.ts";

test("refusedProperty names the first parameter that Anthropic's API rejects", () => {
  const properties = (...names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, {}]));
  const reasonFor = (...names: readonly string[]): string | undefined =>
    refusedProperty({ inputSchema: { type: "object", properties: { ...properties(...names) } } });

  expect(reasonFor("a", "b.c-d_1")).toBeUndefined();
  expect(reasonFor("a", "$filter", "filter[id]")).toContain('"$filter"');
  expect(reasonFor("a".repeat(65))).toContain("refuses");
  expect(refusedProperty({ inputSchema: {} })).toBeUndefined();
});
