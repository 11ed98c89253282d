import { expect, test } from "bun:test";
import { anthropicRequestProblems } from "./anthropic-request-problems.ts";

const breakpoint = { cache_control: { type: "ephemeral" } };
const text = (value: string, options: object = {}): object => ({ type: "text", text: value, ...options });
const user = (...content: readonly object[]): object => ({
  role: "user",
  content: content.length === 0 ? "u" : content,
});
const assistant = (...content: readonly object[]): object => ({ role: "assistant", content });
const call = (id: string, options: object = {}): object => ({
  type: "tool_use",
  id,
  name: "a",
  input: { x: 1 },
  ...options,
});
const result = (id: string): object => ({ type: "tool_result", tool_use_id: id, content: "" });
const tool = (name: string, options: object = {}): object => ({
  name,
  description: name,
  input_schema: { type: "object" },
  ...options,
});
const tools = [tool("a")];

function problemsOf(messages: readonly object[], options: object = {}): readonly string[] {
  return anthropicRequestProblems(JSON.stringify({ model: "m", max_tokens: 4096, messages, ...options }));
}

test("anthropicRequestProblems accepts valid requests", () => {
  const thinking = { type: "thinking", thinking: "hm", signature: "c2ln" };
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } };
  expect(problemsOf([user()])).toEqual([]);
  expect(
    problemsOf(
      [
        user(text("one"), image),
        assistant(thinking, { type: "redacted_thinking", data: "cmVk" }, text("I look"), call("1"), call("2")),
        user(result("2"), result("1"), text("and then?", breakpoint)),
        assistant(call("3"), call("4")),
        user(result("3"), result("4")),
      ],
      {
        system: [text("s", breakpoint)],
        tools: [tool("a"), tool("b", breakpoint)],
        thinking: { type: "enabled", budget_tokens: 1024 },
      },
    ),
  ).toEqual([]);
});

test("anthropicRequestProblems accepts a referenced deferred tool and rejects others in Anthropic's words", () => {
  const deferred = { defer_loading: true };
  const reference = (name: string): object => ({ type: "tool_reference", tool_name: name });
  const found = (...content: readonly object[]): readonly object[] => [
    user(),
    assistant(call("1")),
    user({ ...result("1"), content, ...breakpoint }),
  ];
  const both = [tool("a"), tool("b", deferred)];
  expect(problemsOf(found(reference("b")), { tools: both })).toEqual([]);
  expect(problemsOf(found(reference("a"), reference("b")), { tools: both })).toEqual([]);
  for (const [messages, given, problem] of [
    [
      [user()],
      [tool("a", deferred)],
      "At least one tool must have defer_loading=false. All tools cannot be deferred.",
    ],
    [found(reference("c")), both, "Tool reference 'c' not found in available tools"],
    [found(reference("b")), [tool("a")], "Tool reference 'b' not found in available tools"],
    [
      found(text("found"), reference("b")),
      both,
      "Tool definitions/code execution functions cannot be mixed with other content",
    ],
    [
      [user()],
      [tool("a"), tool("b", { ...deferred, ...breakpoint })],
      "Tool 'b' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.",
    ],
    [
      [user()],
      [tool("a", { input_schema: { type: "object", anyOf: [{}] } })],
      "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
    ],
    [
      [user()],
      [tool("a", { input_schema: { type: "object", properties: { $top: {} } } })],
      "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    ],
    [
      [user()],
      [tool("a", { input_schema: { type: "object", properties: { n: { exclusiveMinimum: true } } } })],
      "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).",
    ],
  ] as const)
    expect(problemsOf(messages, { tools: given })).toEqual([problem]);
  const many = Array.from({ length: 10_001 }, (_, index) => tool(`t${String(index).padStart(5, "0")}`, deferred));
  expect(problemsOf([user()], { tools: [tool("a"), ...many] })).toEqual([
    "tools: 10001 have defer_loading=true, not 10000",
  ]);
  expect(problemsOf([user(reference("b"))], { tools: both }).join()).toContain("messages.0.content.0");
});

test("anthropicRequestProblems reports each violation", () => {
  for (const [messages, fact, options] of [
    [[user(), assistant(call("1")), user()], "has no result", { tools }],
    [[user(), assistant(call("1"), call("2")), user(result("1"))], "has no result", { tools }],
    [[user(), assistant(call("1"))], "has no result", { tools }],
    [[user(result("1"))], "is no call", { tools }],
    [[user(), assistant(call("1")), user(result("1"), result("1"))], "is no call", { tools }],
    [[user(), assistant(call("1")), user(text("so"), result("1"))], "behind what is no result", { tools }],
    [
      [user(), assistant(call("1")), user(result("1")), assistant(call("1")), user(result("1"))],
      "was used before",
      { tools },
    ],
    [[user(), assistant(call("1")), user(result("1"))], "there are none, and the messages have calls"],
    [[user(), assistant(call("a.b:0")), user(result("a.b:0"))], "id", { tools }],
    [[user(), assistant(call("1", { input: "{}" })), user(result("1"))], "input", { tools }],
    [[user(), assistant(call("1", { name: "a.b" })), user(result("1"))], "no name of a tool", { tools }],
    [[user(text(""))], "empty"],
    [[user(text(" \n"))], "empty"],
    [[{ role: "user", content: "" }], "is empty"],
    [[{ role: "user", content: [] }], "is empty"],
    [[user()], "system", { system: "" }],
    [[user()], "system", { system: [text(" ")] }],
    [[user()], "system", { system: [] }],
    [[user(text("a\ud83d"))], "half a surrogate pair"],
    [[{ role: "system", content: "s" }, user()], "role"],
    [[assistant(text("a")), user()], "not the user's"],
    [[user(), assistant(text("a"))], "the last is not the user's"],
    [[user(), assistant({ type: "thinking", thinking: "hm", signature: "" }), user()], "signature"],
    [
      [user(), assistant({ type: "thinking", thinking: "hm", signature: "s", ...breakpoint }), user()],
      "thinking has a breakpoint",
    ],
    [
      [user(...["1", "2", "3", "4"].map((value) => text(value, breakpoint)))],
      "5 breakpoints",
      {
        system: [text("s", breakpoint)],
      },
    ],
    [[user()], "max_tokens", { max_tokens: undefined }],
    [[user()], "leaves nothing", { thinking: { type: "enabled", budget_tokens: 4096 } }],
    [[user()], "temperature", { thinking: { type: "adaptive" }, temperature: 0.5 }],
    [[user()], "forces a tool", { thinking: { type: "adaptive" }, tool_choice: { type: "any" }, tools }],
    [[user()], "sorted", { tools: [tool("b"), tool("a")] }],
    [[user()], "one name", { tools: [tool("a"), tool("a")] }],
    [[user()], "tools", { tools: [tool("a", { input_schema: {} })] }],
    [[user()], "tools", { tools: [] }],
    [[], "messages"],
  ] as const)
    expect(problemsOf(messages, options ?? {}).join("\n")).toContain(fact);
  expect(anthropicRequestProblems("{")).toEqual(["the body is no JSON"]);
});
