import { expect, test } from "bun:test";
import { takesSchema } from "./takes-schema.ts";

const takes = (schema: object): boolean => takesSchema({ inputSchema: { type: "object", ...schema } });

test("takesSchema takes an object whose lists say what is in them", () => {
  for (const schema of [
    {},
    { properties: { a: { type: "array", items: { type: "string" } }, not: { anyOf: [{ type: "null" }] } } },
    { properties: { a: { enum: [null, "array"] } } },
  ])
    expect([schema, takes(schema)]).toEqual([schema, true]);
  for (const schema of [
    { anyOf: [{}] },
    { oneOf: [{}] },
    { allOf: [{}] },
    { enum: [{}] },
    { not: {} },
    { properties: { a: { type: "array" } } },
    { properties: { a: { anyOf: [null, { properties: { b: { type: ["null", "array"] } } }] } } },
  ])
    expect([schema, takes(schema)]).toEqual([schema, false]);
});
