import { expect, test } from "bun:test";
import { sendableSchema } from "./sendable-schema.ts";

test("sendableSchema leaves what vendors take as it is: the very object", () => {
  const schema = {
    type: "object",
    properties: { a: { anyOf: [{ type: "string" }, { type: "null" }], exclusiveMinimum: 3 } },
    required: ["a"],
  };
  expect(sendableSchema(schema)).toBe(schema);
});

test("sendableSchema tells a choice at the top as one object, and asks for what each of its parts asks for", () => {
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

test("sendableSchema writes bounds of draft 4 as numbers, wherever they stand", () => {
  const list = {
    type: "array",
    items: { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
  };

  expect(sendableSchema({ type: "object", properties: { list, n: { exclusiveMaximum: true } } })).toEqual({
    type: "object",
    properties: { list: { type: "array", items: { type: "number", exclusiveMinimum: 1, maximum: 9 } }, n: {} },
  });
});
