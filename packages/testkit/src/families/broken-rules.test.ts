import { chatFamilyNames } from "@incipit/schema";
import { expect, test } from "bun:test";
import { brokenRules } from "./broken-rules.ts";
import type { FamilyName } from "./family-name.ts";
import { messageRules } from "./message-rules.ts";
import { requestRules } from "./request-rules.ts";

interface Body {
  readonly model: string;
  readonly messages: readonly object[];
  readonly [field: string]: unknown;
}

const call = { id: "abcdefgh1", type: "function", function: { name: "look", arguments: "{}" } };
const system = { role: "system", content: "s" };
const user = { role: "user", content: "one" };
const calls = { role: "assistant", content: "I look", tool_calls: [call] };
const result = { role: "tool", tool_call_id: "abcdefgh1", content: "42" };
const answer = { role: "assistant", content: "42" };
const said = [system, user, calls, result, answer, user];
const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };

function tool(parameters?: object, name = "look"): object {
  return { type: "function", function: { name, ...(parameters === undefined ? {} : { parameters }) } };
}

function plain(changed: object = {}): Body {
  const parameters = { type: "object", properties: { a: { type: "string", pattern: "^[a-z]+$" } } };
  return { model: "m", messages: said, tools: [tool(parameters)], ...changed };
}

function properties(schemas: object): object {
  return { tools: [tool({ type: "object", properties: schemas })] };
}

function withId(id: string): object {
  return { messages: [user, { ...calls, tool_calls: [{ ...call, id }] }, { ...result, tool_call_id: id }] };
}

function withContent(role: string, content: unknown): object {
  return { messages: [{ role, content }, ...said] };
}

const breaking: Readonly<Record<string, Body>> = {
  "nothing-said": plain({ messages: [system] }),
  "one-system-message": plain({ messages: [system, ...said] }),
  "system-message-first": plain({ messages: [...said, system, user] }),
  "first-of-user": plain({ messages: [system, answer, user] }),
  "last-of-user-or-tool": plain({ messages: [user, answer] }),
  "roles-alternate": plain({ messages: [user, user] }),
  "no-user-after-result": plain({ messages: [user, calls, result, user] }),
  "each-call-one-result": plain({ messages: [user, calls, user] }),
  "call-id-once": plain({ messages: [user, calls, result, calls, result] }),
  "call-id-not-empty": plain(withId("")),
  "call-id-of-nine": plain(withId("call_abcd")),
  "call-id-of-forty": plain(withId("a".repeat(41))),
  "arguments-are-object": plain({
    messages: [user, { ...calls, tool_calls: [{ ...call, function: { name: "look", arguments: '{"a' } }] }, result],
  }),
  "reasoning-content-on-calls": plain({ model: "deepseek-v4-pro" }),
  "reasoning-content-on-calls-of-kimi": plain({ model: "moonshotai/kimi-k2.6" }),
  "reasoning-content-on-calls-of-glm": plain({ model: "glm-5.2" }),
  "reasoning-content-on-calls-of-mimo": plain({ model: "mimo-v2.5-pro" }),
  "reasoning-content-not-empty": plain({
    model: "deepseek/deepseek-v4-pro",
    messages: [user, { ...calls, reasoning_content: "" }, result],
  }),
  "no-reasoning-content": plain({ messages: [user, { ...answer, reasoning_content: "Hm" }, user] }),
  "null-content-without-calls": plain(withContent("assistant", null)),
  "null-content-with-calls": plain({ messages: [user, { ...calls, content: null }, result] }),
  "content-left-out": plain({ messages: [user, { ...calls, content: undefined }, result] }),
  "empty-message": plain(withContent("user", " ")),
  "empty-text-part": plain(withContent("user", [image, { type: "text", text: "" }])),
  "result-is-text": plain({ messages: [user, calls, { ...result, content: [image] }] }),
  "no-images": plain(withContent("user", [image])),
  "no-empty-tools": plain({ tools: [] }),
  "no-tool-fields-without-tools": plain({ tools: undefined, parallel_tool_calls: true }),
  "tool-choice-is-word": plain({ tool_choice: { type: "function", function: { name: "look" } } }),
  "no-unknown-fields": plain({ stream_options: { include_usage: true } }),
  "tool-name": plain({ tools: [tool({ type: "object" }, "look.at")] }),
  "tool-name-once": plain({ tools: [tool({ type: "object" }), tool({ type: "object" })] }),
  "parameters-are-object": plain({ tools: [tool()] }),
  "no-choice-at-root": plain({ tools: [tool({ type: "object", anyOf: [] })] }),
  "no-boolean-bounds": plain(properties({ a: { type: "number", exclusiveMinimum: true } })),
  "property-names": plain({ model: "anthropic/claude-opus-5", ...properties({ $filter: { type: "string" } }) }),
  "type-in-choices": plain(properties({ a: { type: "string", anyOf: [{ const: "b" }] } })),
  "items-are-object": plain(properties({ a: { type: "array", items: [{ type: "string" }] } })),
  "readable-patterns": plain(properties({ a: { type: "string", pattern: "^(?=a)\\d+$" } })),
};

const rules = [...messageRules, ...requestRules];

test("brokenRules accepts a plain request for every chat completions family", () => {
  for (const family of chatFamilyNames)
    expect([family, ...brokenRules(family, JSON.stringify(plain()))]).toEqual([family]);
});

test.each(rules.map(({ id, families, sources }) => [id, families, sources] as const))(
  "brokenRules reports %s for its families and for no other",
  (id, families, sources) => {
    const body = JSON.stringify(breaking[id]);
    const reporting = chatFamilyNames.filter((family) =>
      brokenRules(family, body).some((line) => line.startsWith(`${id}:`)),
    );

    expect<readonly FamilyName[]>(reporting.toSorted()).toEqual(families.toSorted());
    for (const source of sources) expect(source).toMatch(/^(?:https:\/\/|[\w.-]+\/[\w.-]+#\d+$)/);
  },
);

test("brokenRules accepts calls without reasoning when thinking is off", () => {
  const body = { ...plain({ model: "deepseek-v4-pro" }), thinking: { type: "disabled" } };

  expect(brokenRules("deepseek", JSON.stringify(body))).toEqual([]);
});

test("brokenRules reports malformed bodies and violations of other wire formats", () => {
  expect(brokenRules("strict", '{"model":"m"}')[0]).toStartWith("shape: messages");
  expect(brokenRules("strict", "no JSON")).toEqual(["json: the body is not JSON"]);
  const anthropic = {
    model: "m",
    max_tokens: 10,
    messages: [{ role: "user", content: "one" }],
    tools: [{ name: "look", input_schema: { type: "object", properties: { $filter: { type: "string" } } } }],
  };
  expect(brokenRules("anthropic", JSON.stringify(anthropic))[0]).toStartWith("anthropic: tools.0");
  const gemini = { contents: [{ role: "model", parts: [{ text: "one" }] }] };
  expect(brokenRules("gemini", JSON.stringify(gemini))[0]).toStartWith("gemini: contents.0");
  const responses = { model: "m", input: [{ role: "user", content: "" }] };
  expect(brokenRules("openai-responses", JSON.stringify(responses))[0]).toStartWith("openai-responses: ");
});
