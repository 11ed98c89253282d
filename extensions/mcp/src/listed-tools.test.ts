import { maxJsonDepth } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { keptDescription, listedTools, type ListedTools } from "./listed-tools.ts";

const inputSchema = { type: "object" } as const;

test("listedTools keeps a schema unchanged, including vendor extensions", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { b: { type: ["string", "null"], "x-own": 1 }, a: { $ref: "#/$defs/A" } },
    $defs: { A: { anyOf: [{ const: 1 }, true] } },
    required: ["b"],
    additionalProperties: false,
  };

  const { tools, problems } = listedTools("x", [{ name: "a", inputSchema: schema }]);

  expect(problems).toEqual([]);
  expect(JSON.stringify(tools[0]?.inputSchema)).toBe(JSON.stringify(schema));
});

test("listedTools keeps every type of JSON Schema and drops any other", () => {
  const kept = (type: unknown): unknown => {
    const { tools } = listedTools("x", [{ name: "a", inputSchema: { type: "object", items: { type } } }]);
    return tools[0]?.inputSchema["items"];
  };
  const types = ["array", "boolean", "integer", "null", "number", "object", "string"];

  expect([...types, types].map(kept)).toEqual([...types, types].map((type) => ({ type })));
  expect(["int", "String", [], ["string", "file"]].map(kept)).toEqual([
    {},
    { type: "string" },
    {},
    { type: ["string"] },
  ]);
});

test("listedTools describes a tool without a description", () => {
  const { tools } = listedTools("x", [
    { name: "a", inputSchema },
    { name: "b", title: "The b", inputSchema },
    { name: "c", description: " ", inputSchema },
  ]);

  expect(tools.map(({ description }) => description)).toEqual(["a of x", "The b", "c of x"]);
});

test("listedTools limits the number of tools", () => {
  const entries = Array.from({ length: 600 }, (_, index) => ({
    name: `t${index}`,
    description: "x".repeat(30_000),
    inputSchema,
  }));

  const { tools, problems } = listedTools("x", entries);

  expect(tools.length).toBe(558);
  expect(problems).toEqual(["lists 600 tools; only the first 558 by name are used"]);
});

test("[attack:bounds-mcp-deep-schema] listedTools skips only tools nested too deeply", () => {
  const nested = (levels: number): unknown =>
    JSON.parse(`${'{"type":"object","not":'.repeat(levels)}{}${"}".repeat(levels)}`);
  const listed = (levels: number): ListedTools =>
    listedTools(
      "x",
      [
        { name: "a", inputSchema },
        { name: "deep", inputSchema: nested(levels) },
      ].map(keptDescription),
    );

  const { tools, problems } = listed(20_000);
  const control = listed(maxJsonDepth - 2);

  expect(tools.map(({ ownName }) => ownName)).toEqual(["a"]);
  expect(problems).toEqual([
    'has a tool "deep" whose description is nested more than 128 levels deep; it is skipped',
  ]);
  expect(control.tools.map(({ ownName }) => ownName)).toEqual(["a", "deep"]);
});

test("[attack:bounds-mcp-wide-schema] listedTools does not walk a schema beyond the size limit", () => {
  const wide = (count: number): object => ({
    name: "wide",
    inputSchema: { type: "object", anyOf: Array.from({ length: count }, () => ({ type: "string" })) },
  });

  const { tools, problems } = listedTools("x", [{ name: "a", inputSchema }, wide(300_000)]);
  const control = listedTools("x", [{ name: "a", inputSchema }, wide(3_000)]);

  expect(tools.map(({ ownName }) => ownName)).toEqual(["a"]);
  expect(problems).toEqual(['has a tool "wide" that is larger than 65536 bytes; it is skipped']);
  expect(control.tools.map(({ ownName }) => ownName)).toEqual(["a", "wide"]);
});

test("listedTools abbreviates a long list of problems", () => {
  const wrong = Array.from({ length: 51 }, (_, index) => ({ name: `w${index}`, inputSchema: 1 }));

  const { tools, problems } = listedTools("x", wrong);

  expect(tools).toEqual([]);
  expect(problems).toHaveLength(11);
  expect(problems[0]).toContain('has a tool "w0"');
  expect(problems.at(-1)).toBe("has 41 more problems of this kind");
});
