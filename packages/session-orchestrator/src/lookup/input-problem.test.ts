import { expect, test } from "bun:test";
import { inputProblem } from "./input-problem.ts";

const filter = {
  type: "object",
  properties: {
    id: { type: ["string", "null"] },
    state: { enum: ["open", "closed"] },
    kind: { const: "ticket" },
    tags: { type: "array", items: { type: "string", minLength: 2 }, maxItems: 2 },
    where: { $ref: "#/$defs/where~1all" },
    by: { anyOf: [{ type: "integer" }, { type: "object", required: ["name"] }] },
    more: { type: "object", additionalProperties: { type: "number" } },
  },
  required: ["id"],
  additionalProperties: false,
  $defs: { "where/all": { type: "object", required: ["city"], allOf: [{ required: ["street"] }] } },
};

for (const [input, problem] of [
  [{ id: "1", state: "open", kind: "ticket", tags: ["ab"], where: { city: "a", street: "b" }, by: 1 }, undefined],
  [{ id: null, by: { name: "x" }, more: { a: 1 } }, undefined],
  [[], "the input must be an object, and is an array"],
  [{}, '"input.id" is missing'],
  [{ id: 1 }, '"input.id" must be a string or null, and is a number'],
  [{ id: "1", state: "lost" }, '"input.state" must be one of "open", "closed"'],
  [{ id: "1", kind: "x" }, '"input.kind" must be "ticket"'],
  [{ id: "1", tags: ["ab", "c"] }, '"input.tags[1]" must have at least 2 characters'],
  [{ id: "1", tags: ["😀"] }, '"input.tags[0]" must have at least 2 characters'],
  [{ id: "1", tags: ["ab", "ab", "ab"] }, '"input.tags" must have at most 2 items'],
  [{ id: "1", where: { city: "a" } }, '"input.where.street" is missing'],
  [
    { id: "1", by: "me" },
    '"input.by" fits none of its forms: "input.by" must be an integer, and is a string; or "input.by" must be an object, and is a string',
  ],
  [{ id: "1", more: { a: "1" } }, '"input.more.a" must be a number, and is a string'],
  [
    { id: "1", "\u001B[31m": 1 },
    '"input["\\u001b[31m"]" is not known; there are "id", "state", "kind", "tags", "where", "by", "more"',
  ],
] as const) {
  test(`inputProblem returns for ${JSON.stringify(input)}: ${problem ?? "nothing"}`, () => {
    expect(inputProblem(input, filter)).toBe(problem);
  });
}

test("inputProblem ignores unsupported schema features", () => {
  for (const schema of [
    true,
    null,
    { type: "date" },
    { $ref: "https://acme.dev/schema.json" },
    { $ref: "#/nothing" },
    { properties: 7, required: "id", enum: {}, minimum: "1" },
    { patternProperties: { "^x": {} }, additionalProperties: false },
  ])
    expect(inputProblem({ x: 1 }, schema)).toBeUndefined();
});

test("[attack:bounds-tool-schema] inputProblem terminates quickly for any schema", () => {
  const doubled = (levels: number): object => ({
    $ref: "#/$defs/d0",
    $defs: Object.fromEntries([
      ...Array.from({ length: levels }, (_, level) => {
        const next = { $ref: `#/$defs/d${level + 1}` };
        return [`d${level}`, { anyOf: [next, next] }] as const;
      }),
      [`d${levels}`, { type: "object", required: ["x"] }] as const,
    ]),
  });
  const startMs = performance.now();

  const [endless, own, pattern] = [
    inputProblem({}, doubled(60)),
    inputProblem({}, { $ref: "#" }),
    inputProblem({ x: `${"a".repeat(60)}!` }, { properties: { x: { type: "string", pattern: "^(a+)+$" } } }),
  ];
  const control = inputProblem({}, doubled(3));

  expect([endless, own, pattern]).toEqual([undefined, undefined, undefined]);
  expect(control).toContain('"input.x" is missing');
  expect(performance.now() - startMs).toBeLessThan(10_000);
});

test("inputProblem in lenient mode accepts common deviations only", () => {
  const schema = {
    type: "object",
    properties: {
      count: { type: "integer", minimum: 1 },
      isDry: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      inner: { type: "object", properties: { size: { type: "number" } }, required: ["size"] },
    },
    required: ["count"],
    additionalProperties: false,
  };
  const of = (input: unknown): string | undefined => inputProblem(input, schema, { isLenient: true });

  for (const input of [
    { count: 1 },
    { count: "2", isDry: "true", tags: "a", inner: { size: "2.5" } },
    { count: 1, isDry: null, tags: null, inner: null, more: null },
    { count: 1, tags: [1, "b"] },
  ]) {
    expect([input, of(input)]).toEqual([input, undefined]);
    if (input.count !== 1 || Object.keys(input).length > 1) expect(inputProblem(input, schema)).toBeString();
  }
  for (const input of [
    {},
    { count: null },
    { count: "0" },
    { count: "x" },
    { count: 1, more: 1 },
    { count: 1, inner: {} },
  ])
    expect([input, of(input)]).toEqual([input, expect.any(String)]);
});
