import { expect, test } from "bun:test";
import { plainSchemas } from "./portable-schemas.ts";

test("plainSchemas returns each nested schema, and skips other values", () => {
  const inputSchema = {
    type: "object",
    default: { type: "weird" },
    properties: { type: { type: ["string", "null"], enum: ["items", null] }, all: true },
    $defs: { list: { type: "array", items: { contentSchema: { $id: "here#", $anchor: "_a.1" } } } },
    dependencies: { a: ["b"], c: { multipleOf: 0.1 } },
  };

  const schemas = plainSchemas({ inputSchema });

  expect(schemas).toHaveLength(6);
  expect(schemas).toContainEqual({ $id: "here#", $anchor: "_a.1" });
  expect(schemas).toContainEqual({ multipleOf: 0.1 });
});

test("plainSchemas returns undefined if any schema has another format", () => {
  for (const inputSchema of [
    {},
    { type: ["object"] },
    { type: "object", properties: null },
    { type: "object", dependencies: { a: { type: "weird" } } },
    { type: "object", contentSchema: { type: [] } },
    { type: "object", $recursiveAnchor: true },
    { type: "object", $vocabulary: ["a"] },
  ])
    expect([inputSchema, plainSchemas({ inputSchema })]).toEqual([inputSchema, undefined]);
});
