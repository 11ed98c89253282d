import { expect, test } from "bun:test";
import { namesIn, typeText } from "./type-text.ts";

test("typeText formats objects with optional fields, formats and defaults, short ones on a line", () => {
  const text = typeText({
    type: "object",
    properties: {
      id: { type: "string", format: "uuid", description: "By which `it` is found" },
      "last-seen": { anyOf: [{ type: "integer" }, { type: "null" }] },
      limit: { type: "integer", default: 100 },
      usage: { type: "object", properties: { tokens: { type: "number" } }, required: ["tokens"] },
    },
    required: ["id", "usage"],
  });

  expect(text).toBe(
    [
      "{",
      "  // By which it is found",
      "  id: string; // uuid",
      '  "last-seen"?: number | null;',
      "  limit?: number; // absent: 100",
      "  usage: { tokens: number };",
      "}",
    ].join("\n"),
  );
});

test("typeText puts wrapped field descriptions above fields, also nested", () => {
  const inner = { type: "object", properties: { a: { type: "string", description: "word ".repeat(20).trim() } } };
  const text = typeText({ type: "object", properties: { outer: { type: "array", items: inner } } });

  expect(text).toBe(
    [
      "{",
      "  outer?: {",
      `    // ${"word ".repeat(13).trim()}`,
      `    // ${"word ".repeat(7).trim()}`,
      "    a?: string;",
      "  }[];",
      "}",
    ].join("\n"),
  );
});

test("typeText formats names, unions, lists, maps and empty schemas", () => {
  const message = { $ref: "#/components/schemas/Message" };
  const union = { oneOf: [message, { type: "null" }] };

  expect(typeText(message)).toBe("Message");
  expect(typeText({ type: "array", items: union })).toBe("(Message | null)[]");
  expect(typeText({ enum: ["a", "b"] })).toBe('"a" | "b"');
  expect(typeText({ type: "object", additionalProperties: { type: "string" } })).toBe("Record<string, string>");
  expect(typeText({ allOf: [message, { const: 1 }] })).toBe("Message & 1");
  expect(typeText({ type: ["string", "null"], format: "uuid" })).toBe("string | null");
  expect(typeText({})).toBe("unknown");
  expect(typeText({ enum: Array.from({ length: 20 }, (_, index) => `value ${index}`) }).split("\n")).toHaveLength(
    21,
  );
});

test("namesIn returns each referenced name once", () => {
  const schema = {
    oneOf: [
      { $ref: "#/components/schemas/A" },
      { items: { $ref: "#/components/schemas/B" } },
      { $ref: "#/components/schemas/A" },
    ],
  };

  expect(namesIn(schema)).toEqual(["A", "B"]);
});
