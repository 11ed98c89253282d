import { expect, test } from "bun:test";
import { chatRequestProblems } from "./chat-request-problems.ts";

const system = { role: "system", content: "s" };
const user = { role: "user", content: "u" };
const call = (id: string, options: object = {}): object => ({
  id,
  type: "function",
  function: { name: "a", arguments: '{"x": 1}', ...options },
});
const calling = (...calls: readonly object[]): object => ({ role: "assistant", content: null, tool_calls: calls });
const result = (id: string): object => ({ role: "tool", tool_call_id: id, content: "" });
const tool = (name: string, parameters: object = { type: "object" }): object => ({
  type: "function",
  function: { name, parameters },
});

function problemsOf(messages: readonly object[], options: object = {}): readonly string[] {
  return chatRequestProblems(JSON.stringify({ model: "m", messages, ...options }));
}

test("chatRequestProblems accepts what every vendor accepts", () => {
  const files = {
    role: "user",
    content: [
      { type: "text", text: "a" },
      { type: "image_url", image_url: { url: "data:" } },
    ],
  };
  const answer = { role: "assistant", content: "ok" };
  expect(problemsOf([user])).toEqual([]);
  expect(
    problemsOf(
      [system, system, files, calling(call("1"), call("2")), result("2"), result("1"), answer, user, user],
      {
        tools: [tool("a"), tool("b")],
      },
    ),
  ).toEqual([]);
});

test("chatRequestProblems reports each violation of a strict vendor", () => {
  for (const [messages, fact, options] of [
    [[system, user, calling(call("1")), user], "has no result"],
    [[user, calling(call("1"), call("2")), result("1")], "has no result"],
    [[user, result("1")], "is no call"],
    [[user, calling(call("1")), result("1"), result("1")], "is no call"],
    [[user, calling(call("1")), result("2")], "is no call"],
    [[user, calling(call("1")), result("1"), calling(call("1")), result("1")], "was used before"],
    [[user, calling(call("1"), call("1")), result("1")], "was used before"],
    [[user, calling(call("1", { arguments: '{"cut' })), result("1")], "no JSON object"],
    [[user, calling(call("1", { arguments: "[]" })), result("1")], "no JSON object"],
    [[user, calling(call("1", { arguments: "" })), result("1")], "no JSON object"],
    [[user, calling(call("1", { name: "a.b" })), result("1")], "no name of a tool"],
    [[user, { role: "assistant", content: "" }], "is empty"],
    [[user, { role: "assistant", content: " \n" }], "is empty"],
    [[{ role: "user", content: "\t" }], "is empty"],
    [[user, { role: "assistant" }], "is empty"],
    [[{ role: "user", content: [] }], "is empty"],
    [[{ role: "user", content: [{ type: "text", text: "" }] }], "text part is empty"],
    [[{ role: "user", content: [{ type: "text", text: " " }] }], "text part is empty"],
    [[{ role: "user", content: "a\ud83d" }], "half a surrogate pair"],
    [[user, calling(call("1", { arguments: '{"a":"\udc00"}' })), result("1")], "half a surrogate pair"],
    [[user, calling()], "tool_calls"],
    [[user, system], "not first"],
    [[system], "none but system"],
    [[{ role: "assistant", content: "a" }, user], "no user's"],
    [[{ role: "robot", content: "a" }], "role"],
    [[], "messages"],
    [[user], "sorted", { tools: [tool("b"), tool("a")] }],
    [[user], "one name", { tools: [tool("a"), tool("a")] }],
    [[user], "no name of a tool", { tools: [tool("a b")] }],
    [[user], "tools", { tools: [tool("a", {})] }],
    [[user], "tools", { tools: [] }],
  ] as const)
    expect(problemsOf(messages, options ?? {}).join("\n")).toContain(fact);
  expect(chatRequestProblems("{")).toEqual(["the body is no JSON"]);
});
