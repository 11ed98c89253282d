import { expect, test } from "bun:test";
import { responsesRequestProblems } from "./openai-responses-request-problems.ts";

const system = { role: "system", content: "s" };
const user = { role: "user", content: [{ type: "input_text", text: "u" }] };
const answer = { role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "ok" }] };
const call = (id: string, options: object = {}): object => ({
  type: "function_call",
  call_id: id,
  name: "a",
  arguments: '{"x": 1}',
  ...options,
});
const output = (id: string): object => ({ type: "function_call_output", call_id: id, output: "" });
const reasoning = (id: string, options: object = {}): object => ({
  type: "reasoning",
  id,
  summary: [],
  encrypted_content: "c2ln",
  ...options,
});
const tool = (name: string, parameters: object = { type: "object", properties: {} }): object => ({
  type: "function",
  name,
  parameters,
});

function problemsOf(input: string | readonly object[], options: object = {}): readonly string[] {
  return responsesRequestProblems(JSON.stringify({ model: "m", input, ...options }));
}

test("responsesRequestProblems accepts valid requests", () => {
  expect(problemsOf("Hello?")).toEqual([]);
  expect(
    problemsOf(
      [
        system,
        user,
        reasoning("rs_1"),
        reasoning("rs_2"),
        call("1", { id: "fc_1" }),
        call("2"),
        output("2"),
        output("1"),
        reasoning("rs_3"),
        answer,
        user,
      ],
      { store: false, instructions: "i", tools: [tool("a"), tool("b")], prompt_cache_key: "c" },
    ),
  ).toEqual([]);
});

test("responsesRequestProblems reports each violation", () => {
  for (const [input, fact, options] of [
    [[user, call("1")], "has no output"],
    [[user, call("1"), user], "has no output"],
    [[user, output("1")], "is no call"],
    [[user, call("1"), output("1"), output("1")], "is no call"],
    [[user, call("1"), output("1"), call("1"), output("1")], "was used before"],
    [[user, call("1", { arguments: '{"cut' }), output("1")], "no JSON object"],
    [[user, call("1", { arguments: "[]" }), output("1")], "no JSON object"],
    [[user, call("1", { name: "a.b" }), output("1")], "no name of a tool"],
    [[user, call("1", { id: "call_1" }), output("1")], "input.1"],
    [[user, call("1".repeat(65)), output("1".repeat(65))], "input.1"],
    [[user, reasoning("rs_1")], "without what it led to"],
    [[user, reasoning("rs_1"), user], "without what it led to"],
    [[user, reasoning("rs_1", { encrypted_content: null }), answer], "encrypted_content", { store: false }],
    [[user, { type: "item_reference", id: "rs_1" }, answer], "nothing is stored", { store: false }],
    [[user, reasoning("rs_1"), answer, user, reasoning("rs_1"), { ...answer, id: "msg_2" }], "is there twice"],
    [[user, { role: "assistant", content: [{ type: "input_text", text: "a" }] }], "input.1"],
    [[{ role: "user", content: [{ type: "output_text", text: "a" }] }], "input.0"],
    [[{ role: "user", content: "" }], "is empty"],
    [[{ role: "user", content: [] }], "is empty"],
    [[{ role: "user", content: [{ type: "input_text", text: " " }] }], "is empty"],
    [[user], "is empty", { instructions: "" }],
    [" ", "is empty"],
    [[{ role: "user", content: "a\ud83d" }], "half a surrogate pair"],
    [[user, system], "not first"],
    [[system], "none but system"],
    [[answer, user], "no user's"],
    [[{ role: "robot", content: "a" }], "input.0"],
    [[user], "max_output_tokens", { max_output_tokens: 15 }],
    [[user], "prompt_cache_key", { prompt_cache_key: "k".repeat(65) }],
    [[user], "sorted", { tools: [tool("b"), tool("a")] }],
    [[user], "one name", { tools: [tool("a"), tool("a")] }],
    [[user], "tools", { tools: [tool("a", {})] }],
    [[user], "tools", { tools: [] }],
    [[], "input"],
  ] as const)
    expect(problemsOf(input, options ?? {}).join("\n")).toContain(fact);
  expect(responsesRequestProblems("{")).toEqual(["the body is no JSON"]);
});

test("responsesRequestProblems rejects an invalid tool schema in OpenAI's words, and accepts nested free objects", () => {
  const own = (parameters: object): readonly string[] => problemsOf([user], { tools: [tool("b", parameters)] });
  const invalid = "Invalid schema for function 'b': ";

  expect(own({ type: "object", properties: { a: { type: "object" } } })).toEqual([]);
  for (const [parameters, problem] of [
    [{ type: "object" }, "In context=(), object schema missing properties."],
    [{ type: "object", properties: {}, anyOf: [] }, "schema must have type 'object' and not have"],
    [
      { type: "object", properties: { a: { type: "array" } } },
      "In context=('properties', 'a'), array schema missing items.",
    ],
  ] as const)
    expect(own(parameters)).toEqual([expect.stringContaining(`${invalid}${problem}`)]);
});

test("responsesRequestProblems rejects an added tool with an invalid schema in OpenAI's words", () => {
  const added = (parameters: object): readonly string[] =>
    problemsOf([
      user,
      call("1"),
      output("1"),
      { type: "additional_tools", role: "developer", tools: [tool("b", parameters)] },
      user,
    ]);
  const nested = (a: unknown): readonly string[] => added({ type: "object", properties: { a } });
  const invalid = "Invalid schema for function 'b': ";

  for (const parameters of [
    { type: "array", items: { type: ["string", "null"], enum: ["a", null] } },
    { type: "object", properties: {}, default: { type: "object" }, additionalProperties: false },
    { anyOf: [{ type: "integer", exclusiveMinimum: 0, maximum: 1.5 }, true] },
  ])
    expect(nested(parameters)).toEqual([]);
  expect(added({ type: "object" })).toEqual([`${invalid}In context=(), object schema missing properties.`]);
  expect(added({ type: "object", properties: null })).toEqual([`${invalid}None is not of type 'object'.`]);
  expect(added({ type: "object", properties: {}, anyOf: [] }).join()).toContain("at the top level.");
  for (const [a, problem] of [
    [{ type: "object" }, "In context=('properties', 'a'), object schema missing properties."],
    [{ items: { type: "array" } }, "In context=('properties', 'a', 'items'), array schema missing items."],
    [{ type: "array", items: [{ type: "string" }] }, "[{'type': 'string'}] is not of type 'object', 'boolean'."],
    [{ type: "weird" }, "'weird' is not valid under any of the given schemas."],
    [{ enum: "x" }, "'x' is not of type 'array'."],
    [{ anyOf: [{ exclusiveMinimum: true }] }, "True is not of type 'number'."],
    [{ minLength: 0.5 }, "0.5 is not of type 'integer'."],
  ] as const)
    expect(nested(a)).toEqual([`${invalid}${problem}`]);
});
