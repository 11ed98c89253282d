import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { toModelCallRequest } from "./model-call-request.ts";

function called(body: object): ReturnType<typeof toModelCallRequest> {
  return toModelCallRequest(routes.createChatCompletion.body.parse({ prompt: "Hello", ...body }));
}

test("toModelCallRequest takes a schema as strict only where the client says so", () => {
  const schema = { type: "object", properties: {} };
  const asked = (strict: object): unknown =>
    called({ response_format: { type: "json_schema", json_schema: { name: "x", schema, ...strict } } }).settings;

  expect(asked({ strict: true })).toEqual({ responseFormat: { type: "json", name: "x", schema, isStrict: true } });
  for (const loose of [{}, { strict: false }, { strict: null }])
    expect(asked(loose)).toEqual({ responseFormat: { type: "json", name: "x", schema } });
});

test("toModelCallRequest asks for one call of a tool at a time where the client does, and has tools", () => {
  const tools = [{ type: "function", function: { name: "find" } }];

  expect(called({ tools, parallel_tool_calls: false }).settings).toEqual({ parallelToolCalls: false });
  for (const asked of [
    { tools, parallel_tool_calls: true },
    { tools, parallel_tool_calls: null },
    { parallel_tool_calls: false },
  ])
    expect(called(asked).settings).toBeUndefined();
});

test("toModelCallRequest passes no empty list or text on as what ends an answer", () => {
  for (const stop of [[], "", null]) expect(called({ stop }).settings).toBeUndefined();
  expect(called({ stop: "END" }).settings).toEqual({ stopSequences: ["END"] });
});

test("toModelCallRequest takes what a model has refused as what it said, and hints for OpenAI's cache", () => {
  const content = [
    { type: "text", text: "Well. " },
    { type: "refusal", refusal: "No." },
  ];
  const messages = [
    { role: "user", content: "Will you?" },
    { role: "assistant", content },
    { role: "user", content: "And now?" },
    { role: "assistant", content: null, refusal: "No." },
  ];

  const request = called({ messages, prompt_cache_options: { mode: "explicit" } });

  expect(request.messages[1]).toEqual({ role: "assistant", parts: [{ type: "text", text: "Well. No." }] });
  expect(request.messages[3]).toEqual({ role: "assistant", parts: [{ type: "text", text: "No." }] });
});

test("toModelCallRequest sorts tools by name, and takes what ends an answer as a text or a list", () => {
  const tools = ["b", "a", "c"].map((name) => ({ type: "function", function: { name } }));

  expect(called({ tools }).tools?.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(called({ stop: "x" }).settings).toEqual({ stopSequences: ["x"] });
  expect(called({ stop: ["x"] }).settings).toEqual({ stopSequences: ["x"] });
});
