import { expect, test } from "bun:test";
import { sendableSchema } from "./sendable-schema.ts";

test("sendableSchema returns an acceptable schema unchanged", () => {
  const schema = {
    type: "object",
    properties: { a: { anyOf: [{ type: "string" }, { type: "null" }], exclusiveMinimum: 3 } },
    required: ["a"],
  };
  expect(sendableSchema(schema)).toBe(schema);
});

test("sendableSchema merges top-level alternatives, and requires their common properties", () => {
  const byId = {
    type: "object",
    properties: { id: { type: "string" }, deep: { type: "boolean" } },
    required: ["id"],
  };
  const byName = {
    type: "object",
    properties: { name: { type: "string" }, id: { type: "number" } },
    required: ["name"],
  };

  expect(sendableSchema({ anyOf: [byId, byName] })).toEqual({
    type: "object",
    properties: { id: { type: "string" }, deep: { type: "boolean" }, name: { type: "string" } },
  });
  expect(sendableSchema({ type: "object", properties: { a: {} }, required: ["a"], allOf: [byId, byName] })).toEqual(
    {
      type: "object",
      properties: { id: { type: "string" }, deep: { type: "boolean" }, name: { type: "string" }, a: {} },
      required: ["a", "id", "name"],
    },
  );
  expect(
    sendableSchema({ oneOf: [byId, { ...byName, required: ["name", "id"] }], not: {}, description: "d" }),
  ).toEqual({
    description: "d",
    type: "object",
    properties: { id: { type: "string" }, deep: { type: "boolean" }, name: { type: "string" } },
    required: ["id"],
  });
  expect(sendableSchema({ anyOf: [{ allOf: [byId] }, true, 7] })).toMatchObject({
    properties: { id: { type: "string" } },
  });
});

test("sendableSchema converts draft 4 bounds to numbers at any depth", () => {
  const list = {
    type: "array",
    items: { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
  };

  expect(sendableSchema({ type: "object", properties: { list, n: { exclusiveMaximum: true } } })).toEqual({
    type: "object",
    properties: { list: { type: "array", items: { type: "number", exclusiveMinimum: 1, maximum: 9 } }, n: {} },
  });
});
