import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { toModelCallRequest } from "./chat-routes.ts";

function called(body: object): ReturnType<typeof toModelCallRequest> {
  return toModelCallRequest(routes.createChatCompletion.body.parse({ prompt: "Hello", ...body }));
}

test("toModelCallRequest uses strict mode only on request", () => {
  const schema = { type: "object", properties: {} };
  const asked = (strict: object): unknown =>
    called({ response_format: { type: "json_schema", json_schema: { name: "x", schema, ...strict } } }).settings;

  expect(asked({ strict: true })).toEqual({ responseFormat: { type: "json", name: "x", schema, isStrict: true } });
  for (const loose of [{}, { strict: false }, { strict: null }])
    expect(asked(loose)).toEqual({ responseFormat: { type: "json", name: "x", schema } });
});

test("toModelCallRequest disables parallel tool calls only on request and with tools", () => {
  const tools = [{ type: "function", function: { name: "find" } }];

  expect(called({ tools, parallel_tool_calls: false }).settings).toEqual({ parallelToolCalls: false });
  for (const asked of [
    { tools, parallel_tool_calls: true },
    { tools, parallel_tool_calls: null },
    { parallel_tool_calls: false },
  ])
    expect(called(asked).settings).toBeUndefined();
});

test("toModelCallRequest omits empty stop sequences", () => {
  for (const stop of [[], "", null]) expect(called({ stop }).settings).toBeUndefined();
  expect(called({ stop: "END" }).settings).toEqual({ stopSequences: ["END"] });
});

test("toModelCallRequest accepts refusals as assistant text, and OpenAI's cache hints", () => {
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

test("toModelCallRequest sorts tools by name, and accepts stop as a string or a list", () => {
  const tools = ["b", "a", "c"].map((name) => ({ type: "function", function: { name } }));

  expect(called({ tools }).tools?.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(called({ stop: "x" }).settings).toEqual({ stopSequences: ["x"] });
  expect(called({ stop: ["x"] }).settings).toEqual({ stopSequences: ["x"] });
});

test("toModelCallRequest converts each setting, and omits null", () => {
  const given = {
    temperature: 0,
    top_p: 0.5,
    presence_penalty: -1,
    frequency_penalty: 1.5,
    seed: 7,
    max_completion_tokens: 100,
    reasoning_effort: "low",
  };
  const absent = Object.fromEntries(Object.keys(given).map((name) => [name, null]));

  expect(called(given).settings).toEqual({
    temperature: 0,
    topP: 0.5,
    presencePenalty: -1,
    frequencyPenalty: 1.5,
    seed: 7,
    maxOutputTokens: 100,
    reasoningEffort: "low",
  });
  expect(called({ max_tokens: 50 }).settings).toEqual({ maxOutputTokens: 50 });
  expect(called({ ...absent, max_tokens: null }).settings).toBeUndefined();
  expect(() => called({ max_tokens: 1, max_completion_tokens: 1 })).toThrow("max_tokens");
});

test("toModelCallRequest converts text, images, audio and files in order", () => {
  const data = btoa("hello");
  const content = [
    { type: "text", text: "Look:" },
    { type: "image_url", image_url: { url: `data:image/PNG;BASE64,${data}` } },
    { type: "input_audio", input_audio: { data, format: "wav" } },
    { type: "input_audio", input_audio: { data, format: "mp3" } },
    { type: "file", file: { file_data: `data:application/pdf;base64,${data}`, filename: "a.pdf" } },
  ];

  const [message] = called({ messages: [{ role: "user", content }] }).messages;

  expect(message).toEqual({
    role: "user",
    parts: [
      { type: "text", text: "Look:" },
      { type: "file", mediaType: "image/png", data },
      { type: "file", mediaType: "audio/wav", data },
      { type: "file", mediaType: "audio/mpeg", data },
      { type: "file", mediaType: "application/pdf", data, filename: "a.pdf" },
    ],
  });
});

test("toModelCallRequest names an unsupported part with the reason", () => {
  const refusalOf = (part: object): unknown => {
    try {
      return called({ messages: [{ role: "user", content: [{ type: "text", text: "Look:" }, part] }] });
    } catch (error) {
      return String(error);
    }
  };

  for (const [part, place, why] of [
    [{ type: "image_url", image_url: { url: "https://acme.dev/a.png" } }, "image_url.url", "data: URL"],
    [{ type: "image_url", image_url: { url: "data:image/png,raw" } }, "image_url.url", "data: URL"],
    [{ type: "image_url", image_url: { url: "data:image/png;base64,%" } }, "image_url.url", "base64"],
    [{ type: "input_audio", input_audio: { data: "", format: "wav" } }, "input_audio.data", "base64"],
    [{ type: "file", file: { file_id: "file-1" } }, "file.file_id", "files are not kept"],
    [{ type: "file", file: { filename: "a.pdf" } }, "file.file_data", "must be there"],
    [
      { type: "file", file: { file_data: "data:text/plain;base64,aGk=", filename: "../x" } },
      "file.file_data",
      "without a path",
    ],
  ] as const) {
    const refusal = refusalOf(part);
    expect(refusal).toContain(`messages.0.content.1.${place}`);
    expect(refusal).toContain(why);
  }
});

test("[attack:bounds-v1-wide-schema] toModelCallRequest accepts a schema of 256 KiB, and rejects a larger one", () => {
  const schema = (count: number): object => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, {}])),
  });
  const tool = (count: number): ReturnType<typeof called> =>
    called({ tools: [{ type: "function", function: { name: "find", parameters: schema(count) } }] });
  const reply = (count: number): ReturnType<typeof called> =>
    called({
      response_format: { type: "json_schema", json_schema: { name: "x", schema: schema(count) } },
    });

  expect(() => tool(90_000)).toThrow('"tools.0.function.parameters": has ');
  expect(() => reply(90_000)).toThrow('"response_format.json_schema.schema": has ');
  expect(tool(20_000).tools).toHaveLength(1);
  expect(reply(20_000).settings).toHaveProperty("responseFormat");
});

test("toModelCallRequest rejects a required tool without tools, and converts other choices", () => {
  const tools = [{ type: "function", function: { name: "find" } }];
  const named = (name: string): object => ({ tool_choice: { type: "function", function: { name } } });

  expect(() => called({ tool_choice: "required" })).toThrow("tool_choice");
  expect(() => called({ tools, ...named("other") })).toThrow('"other" is not a tool of this request');
  expect(called({ tool_choice: "auto" }).settings).toBeUndefined();
  expect(called({ tools, tool_choice: "required" }).settings).toEqual({ toolChoice: "required" });
  expect(called({ tools, ...named("find") }).settings).toEqual({ toolChoice: { name: "find" } });
});
