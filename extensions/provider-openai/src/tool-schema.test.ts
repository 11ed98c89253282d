import type { JsonObject } from "@incipit/schema";
import { expect, test } from "bun:test";
import { completeToolSchema } from "./tool-schema.ts";

const top: JsonObject = { type: "object", properties: {} };

test("completeToolSchema adds empty properties at the top, and items to every array", () => {
  const cases: readonly (readonly [JsonObject, JsonObject])[] = [
    [{ type: "object" }, top],
    [
      { additionalProperties: true, type: "object" },
      { additionalProperties: true, ...top },
    ],
    [
      { type: "object", $ref: "#/$defs/a", $defs: { a: { type: "array" } } },
      { ...top, $ref: "#/$defs/a", $defs: { a: { type: "array", items: {} } } },
    ],
    [
      { type: "object", properties: { a: { type: ["null", "array"] }, b: { items: { type: "array" } } } },
      {
        type: "object",
        properties: { a: { type: ["null", "array"], items: {} }, b: { items: { type: "array", items: {} } } },
      },
    ],
    [
      { ...top, additionalProperties: { anyOf: [{ type: "array", prefixItems: [{ type: "array" }] }] } },
      {
        ...top,
        additionalProperties: {
          anyOf: [{ type: "array", prefixItems: [{ type: "array", items: {} }], items: {} }],
        },
      },
    ],
  ];
  for (const [written, sent] of cases) expect([written, completeToolSchema(written)]).toEqual([written, sent]);
});

test("completeToolSchema returns complete and invalid schemas unchanged", () => {
  const cases: readonly JsonObject[] = [
    top,
    { type: "object", properties: { a: { type: "object" }, items: { type: "string" }, properties: top } },
    { ...top, properties: { a: { type: "array", items: { type: "string" } }, b: { enum: [{ type: "array" }] } } },
    { ...top, properties: { a: { type: "array", items: [{ type: "string" }] }, b: { items: true } } },
    { ...top, properties: { a: { type: "array", prefixItems: [], unevaluatedItems: false } } },
    { ...top, default: { type: "array" }, examples: [{ type: "array" }], required: ["a"] },
    { type: "object", properties: null },
    { type: "array", items: {} },
    { type: "object", anyOf: [{ type: "object" }] },
    // The reference is inlined later, and properties would hide its result.
    { type: "object", allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { type: "object", properties: { x: {} } } } },
  ];
  for (const written of cases) expect(completeToolSchema(written)).toBe(written);
});
