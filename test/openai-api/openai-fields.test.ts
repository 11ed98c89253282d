import type { ChatCompletionRequest, ResponseInputItem, ResponseRequest } from "@incipit/transport-contract";
import { openAiErrorResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import OpenAI from "openai";
import { createChatWorld } from "./chat-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(createChatWorld());
const client = new OpenAI({ baseURL: world.baseURL, apiKey: world.host.token });

type Message<Role> = Extract<NonNullable<ChatCompletionRequest["messages"]>[number], { role: Role }>;
type Part<Type> = Extract<Exclude<Message<"user">["content"], string>[number], { type: Type }>;
type ChatTool = NonNullable<ChatCompletionRequest["tools"]>[number];
type ChatFormat = Extract<NonNullable<ChatCompletionRequest["response_format"]>, { type: "json_schema" }>;
type Asked = Extract<ResponseInputItem, { type: "message"; role: "user" | "system" | "developer" }>;
type Given<Type> = Extract<Exclude<Asked["content"], string>[number], { type: Type }>;
type Output = Extract<ResponseInputItem, { type: "function_call_output" }>;
type Tool = Extract<NonNullable<ResponseRequest["tools"]>[number], { type: "function" }>;
type Format = Extract<NonNullable<NonNullable<ResponseRequest["text"]>["format"]>, { type: "json_schema" }>;
/** Fields of the SDK's types that the host does not know; a type error unless empty. */
type Unknown<Theirs, Ours> = [Ours] extends [never] ? "none of ours" : Exclude<keyof Theirs, keyof Ours>;
type None<Field extends never> = Field;
type UnknownFields = [
  None<Unknown<OpenAI.ChatCompletionSystemMessageParam, Message<"system" | "developer">>>,
  None<Unknown<OpenAI.ChatCompletionUserMessageParam, Message<"user">>>,
  None<Unknown<OpenAI.ChatCompletionToolMessageParam, Message<"tool">>>,
  None<Unknown<OpenAI.ChatCompletionContentPartText, Part<"text">>>,
  None<Unknown<OpenAI.ChatCompletionContentPartImage, Part<"image_url">>>,
  None<Unknown<OpenAI.ChatCompletionContentPartImage.ImageURL, Part<"image_url">["image_url"]>>,
  None<Unknown<OpenAI.ChatCompletionContentPartInputAudio, Part<"input_audio">>>,
  None<Unknown<OpenAI.ChatCompletionContentPart.File, Part<"file">>>,
  None<Unknown<OpenAI.ChatCompletionFunctionTool, ChatTool>>,
  None<Unknown<OpenAI.FunctionDefinition, ChatTool["function"]>>,
  None<Unknown<OpenAI.ResponseFormatJSONSchema["json_schema"], ChatFormat["json_schema"]>>,
  None<Unknown<OpenAI.ChatCompletionStreamOptions, NonNullable<ChatCompletionRequest["stream_options"]>>>,
  None<Unknown<OpenAI.Responses.EasyInputMessage, Asked>>,
  None<Unknown<OpenAI.Responses.ResponseInputItem.Message, Asked>>,
  None<Unknown<OpenAI.Responses.ResponseInputItem.FunctionCallOutput, Output>>,
  None<Unknown<OpenAI.Responses.ResponseInputText, Given<"input_text">>>,
  None<Unknown<OpenAI.Responses.ResponseInputImage, Given<"input_image">>>,
  None<Unknown<OpenAI.Responses.ResponseInputFile, Given<"input_file">>>,
  None<Unknown<OpenAI.Responses.FunctionTool, Tool>>,
  None<Unknown<OpenAI.Responses.ResponseTextConfig, NonNullable<ResponseRequest["text"]>>>,
  None<Unknown<OpenAI.Responses.ResponseFormatTextJSONSchemaConfig, Format>>,
  None<Unknown<OpenAI.Reasoning, NonNullable<ResponseRequest["reasoning"]>>>,
][number];

const chatModel = { model: "local/test-model" };
const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const called = { id: "c1", type: "function", function: { name: "look", arguments: "{}" } } as const;
const user = { role: "user", content: "Look" } as const;
const result = { role: "tool", tool_call_id: "c1", content: "Fog" } as const;
const look = { type: "function", name: "look", parameters: null, strict: null } as const;
const output = { type: "function_call_output", call_id: "c1", output: "Fog" } as const;
const call = { type: "function_call", call_id: "c1", name: "look", arguments: "{}" } as const;

type Refused = readonly (readonly [body: object, param: string])[];

const refused: Readonly<Record<string, Refused>> = {
  "chat/completions": [
    [{ messages: [{ ...user, wizard: 1 }] }, "messages[0].wizard"],
    [{ messages: [{ role: "system", content: "x", wizard: 1 }, user] }, "messages[0].wizard"],
    [
      { messages: [{ role: "user", content: [{ type: "text", text: "x", wizard: 1 }] }] },
      "messages[0].content[0].wizard",
    ],
    [
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: png, wizard: 1 } }] }] },
      "messages[0].content[0].image_url.wizard",
    ],
    [
      { messages: [user, { role: "assistant", tool_calls: [called] }, { ...result, wizard: 1 }] },
      "messages[2].wizard",
    ],
    [{ prompt: "x", tools: [{ type: "function", function: { name: "a" }, wizard: 1 }] }, "tools[0].wizard"],
    [
      { prompt: "x", tools: [{ type: "function", function: { name: "a", wizard: 1 } }] },
      "tools[0].function.wizard",
    ],
    [
      {
        prompt: "x",
        tools: [{ type: "function", function: { name: "a" } }],
        tool_choice: { type: "function", function: { name: "a" }, wizard: 1 },
      },
      "tool_choice.wizard",
    ],
    [{ prompt: "x", stream_options: { wizard: 1 } }, "stream_options.wizard"],
    [
      { prompt: "x", response_format: { type: "json_schema", json_schema: { name: "a", schema: {}, wizard: 1 } } },
      "response_format.json_schema.wizard",
    ],
  ],
  responses: [
    [{ input: [{ ...user, wizard: 1 }] }, "input[0].wizard"],
    [{ input: [{ type: "message", ...user, wizard: 1 }] }, "input[0].wizard"],
    [
      { input: [{ role: "user", content: [{ type: "input_text", text: "x", wizard: 1 }] }] },
      "input[0].content[0].wizard",
    ],
    [{ input: [user, call, { ...output, wizard: 1 }] }, "input[2].wizard"],
    [{ input: [user, call, { ...output, caller: { type: "program", caller_id: "p" } }] }, "input[2].caller.type"],
    [{ input: "x", tools: [{ ...look, wizard: 1 }] }, "tools[0].wizard"],
    [{ input: "x", tools: [{ ...look, async: true }] }, "tools[0].async"],
    [
      { input: "x", tools: [look], tool_choice: { type: "function", name: "look", wizard: 1 } },
      "tool_choice.wizard",
    ],
    [{ input: "x", text: { wizard: 1 } }, "text.wizard"],
    [{ input: "x", text: { format: { type: "text", wizard: 1 } } }, "text.format.wizard"],
    [{ input: "x", reasoning: { wizard: 1 } }, "reasoning.wizard"],
  ],
};

for (const [path, bodies] of Object.entries(refused))
  for (const [body, param] of bodies)
    test(`an unknown field of an OpenAI client is named, also when nested: ${path} ${param}`, async () => {
      const response = await world.host.fetch(`/v1/${path}`, { body: { ...chatModel, ...body } });
      const { error } = openAiErrorResponseSchema.parse(await response.json());

      expect([response.status, error.type, error.param]).toEqual([400, "invalid_request_error", param]);
      expect(world.model.requests).toHaveLength(0);
    });

test("all typed fields of OpenAI's SDK are accepted, and answers can be sent back unchanged", async () => {
  const unknown: readonly UnknownFields[] = [];
  expect(unknown).toEqual([]);
  const mark = { mode: "explicit" } as const;
  const said = { role: "assistant", content: "Hm", tool_calls: [called] } as const;
  const ask = async (messages: readonly object[]): Promise<string> => {
    await client.post("/chat/completions", { body: { ...chatModel, messages } });
    return world.lastRequest();
  };
  const picture = { type: "image_url", image_url: { url: png } } as const;

  const plain = await ask([{ role: "user", content: [{ type: "text", text: "Look" }, picture] }, said, result]);
  const full = await ask([
    {
      role: "user",
      name: "ada",
      content: [
        { type: "text", text: "Look", prompt_cache_breakpoint: mark, cache_control: { type: "ephemeral" } },
        { ...picture, image_url: { url: png, detail: "high" }, prompt_cache_breakpoint: mark },
      ],
    },
    {
      ...said,
      annotations: [],
      audio: null,
      reasoning_details: [{ type: "x" }],
      tool_calls: [{ ...called, index: 0, extra_content: {} }],
    },
    { ...result, name: "look" },
  ]);
  expect(full).toBe(plain);

  const respond = async (input: readonly object[], more: object = {}): Promise<string> => {
    await client.post("/responses", { body: { ...chatModel, input, tools: [look], store: false, ...more } });
    return world.lastRequest();
  };
  const items = await respond([user, { role: "assistant", content: "Hm" }, call, output]);
  const fullItems = await respond(
    [
      {
        type: "message",
        id: "msg_1",
        status: "completed",
        role: "user",
        content: [{ type: "input_text", text: "Look", prompt_cache_breakpoint: mark }],
      },
      {
        type: "message",
        id: "msg_2",
        status: "completed",
        role: "assistant",
        phase: "commentary",
        content: [{ type: "output_text", text: "Hm", annotations: [], logprobs: [], parsed: null }],
      },
      { ...call, id: "fc_1", status: "completed", parsed_arguments: {}, caller: { type: "direct" } },
      { ...output, id: "fco_1", status: "completed", name: "look", caller: { type: "direct" } },
    ],
    {
      tools: [{ ...look, allowed_callers: ["direct"], async: false, defer_loading: false, output_schema: {} }],
      reasoning: { mode: "standard" },
    },
  );
  expect(fullItems).toBe(items);
});

test("a response can be retrieved with all accepted fields and continued", async () => {
  const input: OpenAI.Responses.ResponseInputItem[] = [
    { type: "message", status: "completed", role: "user", content: [{ type: "input_text", text: "Look" }] },
  ];
  const first = await client.responses.create({ ...chatModel, input });
  const { data } = await client.responses.inputItems.list(first.id);
  await client.responses.create({ ...chatModel, input: "And?", previous_response_id: first.id });

  expect(data).toMatchObject([{ type: "message", role: "user", content: [{ text: "Look" }] }]);
  expect(world.lastRequest()).toContain("Look");
  expect(world.lastRequest()).toContain("And?");
});
