import Anthropic from "@anthropic-ai/sdk";
import type { AnthropicAssistantBlock, AnthropicTold, AnthropicUserBlock } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createChatWorld } from "../openai-api/chat-world.ts";
import { sharedWorld } from "../support/shared-world.ts";

const world = await sharedWorld(
  createChatWorld(
    (model) =>
      `[providers.claude]\nkind = "anthropic"\nbase_url = "${model.urlOf("anthropic")}"\napi_key_env = "CLAUDE_KEY"\n`,
    { CLAUDE_KEY: "planted-vendor-key-3" },
  ),
);
const client = new Anthropic({ baseURL: world.host.url, apiKey: world.host.token });

type Block<Type> = Extract<AnthropicUserBlock | AnthropicAssistantBlock, { type: Type }>;
type Thinking<Type> = Extract<NonNullable<AnthropicTold["thinking"]>, { type: Type }>;
/** Fields of the SDK's types that the host does not know; a type error unless empty. */
type Unknown<Theirs, Ours> = [Ours] extends [never] ? "none of ours" : Exclude<keyof Theirs, keyof Ours>;
type None<Field extends never> = Field;
type UnknownFields = [
  None<Unknown<Anthropic.TextBlockParam, Block<"text">>>,
  None<Unknown<Anthropic.ImageBlockParam, Block<"image">>>,
  None<Unknown<Anthropic.DocumentBlockParam, Block<"document">>>,
  None<Unknown<Anthropic.ToolResultBlockParam, Block<"tool_result">>>,
  None<Unknown<Anthropic.ToolUseBlockParam, Block<"tool_use">>>,
  None<Unknown<Anthropic.ThinkingBlockParam, Block<"thinking">>>,
  None<Unknown<Anthropic.RedactedThinkingBlockParam, Block<"redacted_thinking">>>,
  None<Unknown<Anthropic.Tool, NonNullable<AnthropicTold["tools"]>[number]>>,
  None<Unknown<Anthropic.ThinkingConfigEnabled, Thinking<"enabled">>>,
  None<Unknown<Anthropic.Beta.BetaThinkingConfigAdaptive, Thinking<"adaptive">>>,
  None<Unknown<Anthropic.Beta.BetaOutputConfig, NonNullable<AnthropicTold["output_config"]>>>,
][number];

const hello: Anthropic.MessageParam[] = [{ role: "user", content: "Count" }];
const base = { model: "claude/one", max_tokens: 50, messages: hello };

test("an Anthropic client receives the matched stop sequence, streamed and whole, where available", async () => {
  const request = { ...base, stop_sequences: ["END", "three"] };
  const stopped = { kind: "text", chunks: ["one two "], stopSequence: "three" } as const;
  const ended = { kind: "text", chunks: ["one two"] } as const;
  const endOf = ({ stop_reason, stop_sequence }: Anthropic.Message): readonly unknown[] => [
    stop_reason,
    stop_sequence,
  ];
  const whole = async (more: object = {}): Promise<readonly unknown[]> =>
    endOf(await client.messages.create({ ...request, ...more }));
  const streamed = async (more: object = {}): Promise<readonly unknown[]> =>
    endOf(await client.messages.stream({ ...request, ...more }).finalMessage());
  world.model.enqueue(stopped, stopped, ended, stopped, stopped, stopped);

  expect(await whole()).toEqual(["stop_sequence", "three"]);
  expect(await streamed()).toEqual(["stop_sequence", "three"]);
  expect(await streamed()).toEqual(["end_turn", null]);
  expect(JSON.parse(world.lastRequest())).toMatchObject({ stop_sequences: ["END", "three"] });
  // One provider names an unrequested sequence; the protocol of the other has none.
  expect(await whole({ stop_sequences: ["END"] })).toEqual(["end_turn", null]);
  expect(await whole({ model: "local/test-model" })).toEqual(["end_turn", null]);
  expect(await streamed({ model: "local/test-model" })).toEqual(["end_turn", null]);
});

test("all typed fields of Anthropic's SDK are accepted, without effect on the request", async () => {
  const mark = { type: "ephemeral", ttl: "1h" } as const;
  const plain: Anthropic.MessageCreateParamsNonStreaming = {
    ...base,
    system: [{ type: "text", text: "Be brief." }],
    tools: [{ name: "look", input_schema: { type: "object" } }],
    thinking: { type: "disabled" },
    messages: [
      {
        role: "user",
        content: [
          { type: "document", source: { type: "text", media_type: "text/plain", data: "Of tea" }, title: "T" },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "look", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "Fog" }] }],
      },
    ],
  };
  const full: Anthropic.MessageCreateParamsNonStreaming = {
    ...plain,
    metadata: { user_id: "ada" },
    service_tier: "auto",
    system: [{ type: "text", text: "Be brief.", cache_control: mark, citations: null }],
    tools: [
      {
        type: "custom",
        name: "look",
        input_schema: { type: "object" },
        allowed_callers: ["direct"],
        cache_control: mark,
        defer_loading: false,
        eager_input_streaming: true,
        input_examples: [{ at: "the sea" }],
        strict: true,
      },
    ],
    messages: [
      {
        role: "user",
        content: [
          {
            type: "document",
            source: { type: "text", media_type: "text/plain", data: "Of tea" },
            title: "T",
            context: null,
            citations: { enabled: false },
            cache_control: mark,
          },
        ],
      },
      {
        role: "assistant",
        content: [
          {
            type: "tool_use",
            id: "t1",
            name: "look",
            input: {},
            caller: { type: "direct" },
            cache_control: mark,
            toolset_name: null,
          },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [{ type: "text", text: "Fog", citations: [] }],
            is_error: false,
            cache_control: mark,
            toolset_name: null,
          },
        ],
      },
    ],
  };

  const unknown: readonly UnknownFields[] = [];
  expect(unknown).toEqual([]);
  await client.messages.create(plain);
  const asked = world.lastRequest();
  await client.messages.create(full);

  expect(world.lastRequest()).toBe(asked);
  // The cache marks are the host's own, with its duration.
  expect(asked).toContain('"cache_control":{"type":"ephemeral"}');
  for (const thinking of [
    { type: "adaptive", display: "omitted" },
    { type: "enabled", budget_tokens: 2_000, display: "summarized" },
  ] as const)
    await client.messages.create({ ...base, max_tokens: 8_000, thinking });
  await client.beta.messages.create({
    ...base,
    output_config: { effort: "low", task_budget: { type: "tokens", total: 20_000 } },
  });
});
