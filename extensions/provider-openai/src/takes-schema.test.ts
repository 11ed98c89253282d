import { expect, test } from "bun:test";
import { takesSchema } from "./takes-schema.ts";

const takes = (schema: object): boolean => takesSchema({ inputSchema: { type: "object", ...schema } });
const nested = (schema: unknown): object => ({ properties: { a: { anyOf: [{ type: "null" }, schema] } } });

test("takesSchema accepts an object schema with complete objects and arrays", () => {
  for (const schema of [
    { properties: {} },
    { properties: { a: { type: "array", items: { type: "string" } }, not: { anyOf: [{ type: "null" }] } } },
    { properties: { a: { enum: [null, "array"] } } },
    nested({ type: ["object", "null"], properties: {}, additionalProperties: false }),
    nested({ type: "integer", exclusiveMinimum: 0, default: { type: "object" } }),
  ])
    expect([schema, takes(schema)]).toEqual([schema, true]);
});

test("takesSchema rejects incomplete schemas at any depth", () => {
  const properties = {};
  for (const schema of [
    {},
    { properties: null },
    { properties: [] },
    { type: "string", properties },
    { properties, anyOf: [{}] },
    { properties, oneOf: [{}] },
    { properties, allOf: [{}] },
    { properties, enum: [{}] },
    { properties, not: {} },
    { properties, $defs: { a: { type: "object" } } },
    { properties: { a: { type: "array" } } },
    nested({ type: "object" }),
    nested({ type: ["null", "object"], additionalProperties: { type: "string" } }),
    nested({ properties: { b: { type: ["null", "array"] } } }),
    nested({ type: "array", items: [{ type: "string" }] }),
    nested({ type: "array", items: true }),
    nested({ type: "weird" }),
    nested({ enum: "x" }),
    nested({ exclusiveMinimum: true }),
    nested({ maximum: "1" }),
    nested({ minLength: 0.5 }),
    nested(null),
  ])
    expect([schema, takes(schema)]).toEqual([schema, false]);
});
