import { expect, test } from "bun:test";
import { geminiRequestProblems } from "./gemini-request-problems.ts";

const user = (...parts: readonly object[]): object => ({
  role: "user",
  parts: parts.length === 0 ? [{ text: "u" }] : parts,
});
const model = (...parts: readonly object[]): object => ({ role: "model", parts });
const call = (name: string, id?: string): object => ({
  functionCall: { ...(id === undefined ? {} : { id }), name, args: {} },
});
const result = (name: string, id?: string): object => ({
  functionResponse: { ...(id === undefined ? {} : { id }), name, response: { content: "" } },
});
const declare = (...names: readonly string[]): object => ({
  tools: [{ functionDeclarations: names.map((name) => ({ name, description: name })) }],
});

function problemsOf(contents: readonly object[], options: object = {}): readonly string[] {
  return geminiRequestProblems(JSON.stringify({ contents, ...options }));
}

test("geminiRequestProblems accepts valid requests", () => {
  expect(problemsOf([user()])).toEqual([]);
  expect(
    problemsOf(
      [
        user({ text: "one" }, { inlineData: { mimeType: "image/png", data: "AAEC/w==" } }),
        model({ text: "hm", thought: true }, { ...call("a", "1"), thoughtSignature: "c2ln" }, call("b", "2")),
        user(result("b", "2"), result("a", "1")),
        model(call("a"), call("a")),
        user(result("a"), result("a")),
        model({ text: "", thoughtSignature: "c2ln" }),
        user(),
      ],
      { systemInstruction: { parts: [{ text: "s" }, { text: "t" }] }, generationConfig: {}, ...declare("a", "b") },
    ),
  ).toEqual([]);
});

test("geminiRequestProblems reports each violation", () => {
  for (const [contents, fact, options] of [
    [[user(), model(call("a")), user()], "0 results for 1 calls"],
    [[user(), model(call("a"), call("b")), user(result("a"))], "1 results for 2 calls"],
    [[user(), model(call("a"))], "have no result"],
    [[user(result("a"))], "1 results for 0 calls"],
    [[user(), model(call("a")), user(result("b"))], "has no call before it"],
    [[user(), model(call("a", "1")), user(result("a", "2"))], "has no call before it"],
    [[user(), model(call("a", "1"), call("a", "1")), user(result("a", "1"), result("a", "1"))], "one id"],
    [[user(), model(call("a")), user(result("a"), { text: "so" })], "not all parts are results"],
    [[user(), model({ text: "a" }), model(call("a")), user(result("a"))], "follow a turn that is not the user's"],
    [[user(), user(call("a")), user(result("a"))], "not the model's"],
    [[user(), model({ text: "a" })], "the last is not the user's"],
    [[model({ text: "a" }), user()], "contents.0"],
    [[{ role: "system", parts: [{ text: "s" }] }, user()], "role"],
    [[{ role: "function", parts: [result("a")] }], "role"],
    [[{ role: "user", parts: [] }], "parts"],
    [[user({ text: "" })], "the text is empty"],
    [[user({ text: " \n" })], "the text is empty"],
    [[user({})], "0 contents"],
    [[user({ text: "a", functionCall: { name: "a" } })], "2 contents"],
    [[user({ text: "a\ud83d" })], "half a surrogate pair"],
    [[user({ text: "a", thoughtSignature: "no base64!" })], "thoughtSignature"],
    [[user({ inlineData: { mimeType: "image/png", data: "" } })], "data"],
    [[user(), model(call("a b")), user(result("a b"))], "no name of a tool"],
    [[user()], "systemInstruction", { systemInstruction: { parts: [] } }],
    [[user()], "systemInstruction", { systemInstruction: { parts: [{ text: "" }] } }],
    [[user()], "system_prompt", { system_prompt: "s" }],
    [[user()], "sorted", declare("b", "a")],
    [[user()], "one name", declare("a", "a")],
    [[user()], "tools", declare()],
    [[user()], "tools", { tools: [] }],
    [[], "contents"],
  ] as const)
    expect(problemsOf(contents, options ?? {}).join("\n")).toContain(fact);
  expect(geminiRequestProblems("{")).toEqual(["the body is no JSON"]);
});
