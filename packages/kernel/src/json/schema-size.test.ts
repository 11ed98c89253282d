import { expect, test } from "bun:test";
import { schemaSize } from "./schema-size.ts";

test("schemaSize counts parts with references expanded", () => {
  expect(schemaSize({ type: "string" }, 100)).toBe(1);
  expect(schemaSize({ anyOf: [{ type: "string" }, { type: "integer" }] }, 100)).toBe(4);
  const twice = { $defs: { a: { type: "string" } }, anyOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] };
  expect(schemaSize(twice, 100)).toBe(8);
  expect(schemaSize({ $ref: "#/$defs/a~1b", $defs: { "a/b": {} } }, 100)).toBe(4);
  expect(schemaSize({ properties: { $ref: { type: "string" } } }, 100)).toBe(3);
});

test("schemaSize stops at its limit for doubling references", () => {
  const $defs: Record<string, object> = { a0: { type: "string" } };
  for (let level = 1; level <= 60; level += 1)
    $defs[`a${level}`] = { anyOf: Array.from({ length: 2 }, () => ({ $ref: `#/$defs/a${level - 1}` })) };
  const doubling = JSON.parse(JSON.stringify({ $defs, $ref: "#/$defs/a60" }));

  expect(schemaSize(doubling, 2_000)).toBe(2_001);
});

test("schemaSize detects direct and indirect recursion", () => {
  expect(schemaSize({ $ref: "#" }, 100)).toBe("recursive");
  expect(schemaSize({ anyOf: [{ $ref: "#" }, {}] }, 100)).toBe("recursive");
  const round = { $defs: { a: { items: { $ref: "#/$defs/b" } }, b: { items: { $ref: "#/$defs/a" } } } };
  expect(schemaSize(round, 100)).toBe("recursive");
});
