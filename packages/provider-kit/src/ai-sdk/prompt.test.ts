import type { MessagePart, ModelMessage } from "@incipit/schema";
import { expect, test } from "bun:test";
import { toolInputs, toPrompt, type PromptOptions } from "./prompt.ts";

const call: MessagePart = {
  type: "tool-call",
  toolCallId: "t",
  name: "a",
  input: '{ "x": 1.0 }',
  metadata: { v: { signature: "s" } },
};
const thought: MessagePart = { type: "reasoning", text: "Hm" };
const messages: readonly ModelMessage[] = [{ role: "assistant", parts: [thought, call] }];
const options: PromptOptions = {
  systemPrompt: ["One.", "Two."],
  messages,
  toolInput: "text",
  callIds: undefined,
  partOptions: new Map(),
  takesReasoning: () => true,
};

test("toPrompt sends a part's metadata back, merged with additional options", () => {
  const partOptions = new Map([[call, { v: { cache: true }, w: { x: 1 } }]]);

  expect(toPrompt({ ...options, partOptions }).at(-1)).toMatchObject({
    content: [
      { type: "reasoning", text: "Hm" },
      { type: "tool-call", providerOptions: { v: { signature: "s", cache: true }, w: { x: 1 } } },
    ],
  });
  expect(toPrompt(options).at(-1)).toMatchObject({
    content: [{ type: "reasoning" }, { providerOptions: { v: { signature: "s" } } }],
  });
});

test("toPrompt adds options to any kind of part", () => {
  const file: MessagePart = { type: "file", mediaType: "image/png", data: "AAEC" };
  const text: MessagePart = { type: "text", text: "See?" };
  const result: MessagePart = { type: "tool-result", toolCallId: "t", name: "a", output: "", isError: false };
  const said = { v: { cache: true } };
  const all: readonly ModelMessage[] = [
    { role: "user", parts: [text, file] },
    { role: "assistant", parts: [text, thought, { ...call, metadata: {} }] },
    { role: "tool", parts: [result] },
  ];
  const parts = all.flatMap((message) => message.parts);
  const partOptions = new Map(parts.map((part) => [part, said]));
  const given = toPrompt({ ...options, systemPrompt: [], messages: all, partOptions });

  const sent = given.flatMap(({ role, content }): readonly unknown[] => (role === "system" ? [] : content));
  expect(sent).toEqual(parts.map(() => expect.objectContaining({ providerOptions: said })));
});

test("toPrompt sends arguments as text or parsed, and {} for anything but an object", () => {
  const inputOf = (input: string, toolInput: PromptOptions["toolInput"]): unknown => {
    const parts = [{ ...call, input }];
    const [message] = toPrompt({
      ...options,
      systemPrompt: [],
      messages: [{ role: "assistant", parts }],
      toolInput,
    });
    const [part] = message?.role === "assistant" ? message.content : [];
    return part?.type === "tool-call" ? part.input : message;
  };

  expect(inputOf('{ "x": 1.0 }', "text")).toBe('{ "x": 1.0 }');
  expect(inputOf('{ "x": 1.0 }', "object")).toEqual({ x: 1 });
  for (const input of ['{"cut', "[1]", "null", ""]) expect(inputOf(input, "object")).toEqual({});
});

test("[attack:vendor-name-of-object] toPrompt renames calls named like an object's inherited properties", () => {
  const names = (name: string): unknown => {
    const result: MessagePart = { type: "tool-result", toolCallId: "t", name, output: "", isError: true };
    const called: readonly ModelMessage[] = [
      { role: "assistant", parts: [{ ...call, name }] },
      { role: "tool", parts: [result] },
    ];
    return toPrompt({ ...options, systemPrompt: [], messages: called }).map(({ content }) => content[0]);
  };

  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    expect(names(name)).toMatchObject([{ toolName: `${name}_` }, { toolName: `${name}_` }]);
    expect(Reflect.get({}, name)).toBeDefined();
  }
  expect(names("find")).toMatchObject([{ toolName: "find" }, { toolName: "find" }]);
});

test("[attack:vendor-half-pair] toPrompt replaces lone surrogates in parsed arguments", () => {
  const inputOf = (input: string): string => {
    const parts = [{ ...call, input }];
    const prompt = toPrompt({ ...options, messages: [{ role: "assistant", parts }], toolInput: "object" });
    return JSON.stringify(prompt.at(-1)?.content[0]);
  };

  for (const [input, sent] of [
    ['{"a":"\\ud83d"}', '{"a":"\ufffd"}'],
    ['{"a":["x\\uDD00y"]}', '{"a":["x\ufffdy"]}'],
    ['{"\\ud800":1}', '{"\ufffd":1}'],
    ['{"a":"\\ud83e\\udda6 \\\\ud83d"}', '{"a":"\u{1F9A6} \\\\ud83d"}'],
    ['{"a":"\ud83d"}', '{"a":"\ufffd"}'],
  ] as const)
    expect(inputOf(input)).toContain(`"input":${sent}`);
  expect(JSON.stringify(JSON.parse('{"a":"\\ud83d"}'))).toContain("\\ud83d");
});

test("toPrompt omits only the reasoning that the model does not accept", () => {
  expect(toPrompt({ ...options, takesReasoning: () => false }).at(-1)).toMatchObject({
    content: [{ type: "tool-call" }],
  });
  expect(toolInputs(messages)).toEqual(['{ "x": 1.0 }']);
});

test("toPrompt puts each system message first", () => {
  expect(toPrompt(options).slice(0, 2)).toEqual([
    { role: "system", content: "One." },
    { role: "system", content: "Two." },
  ]);
});

test("toPrompt omits parts that a role cannot have", () => {
  const file = { type: "file", mediaType: "image/png", data: "AAEC" } as const;
  const result = { type: "tool-result", toolCallId: "t", name: "a", output: "", isError: false } as const;
  const said = { type: "text", text: "Hi" } as const;
  const kindsOf = (role: ModelMessage["role"]): readonly string[] => {
    const given = [{ role, parts: [file, result, said, call] }];
    const [message] = toPrompt({ ...options, systemPrompt: [], messages: given });
    return message === undefined || message.role === "system" ? [] : message.content.map(({ type }) => type);
  };

  expect(kindsOf("user")).toEqual(["file", "text"]);
  expect(kindsOf("assistant")).toEqual(["text", "tool-call"]);
  expect(kindsOf("tool")).toEqual(["tool-result"]);
});
