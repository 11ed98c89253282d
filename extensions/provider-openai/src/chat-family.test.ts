import {
  chatFamilyNames,
  type MessagePart,
  type ModelMessage,
  type ModelSettings,
  type ToolDefinition,
} from "@incipit/schema";
import { expect, test } from "bun:test";
import { callIdFor } from "@incipit/provider-kit";
import { brokenRules } from "@incipit/testkit";
import { ChatEncoder } from "@incipit/wire";
import fc from "fast-check";
import * as z from "zod";
import { chatFamilies, familyOfHost, familyRules, type ChatFamily } from "./chat-family.ts";
import { toDialect } from "./dialect-keys.ts";

interface Asked {
  readonly rules: ChatFamily;
  readonly messages: readonly ModelMessage[];
  readonly model?: string;
  readonly systemPrompt?: readonly string[];
  readonly tools?: readonly ToolDefinition[];
  readonly settings?: ModelSettings;
}

function encoderOf(rules: ChatFamily): ChatEncoder {
  return new ChatEncoder({
    dialect: "compatible",
    metadataKey: "local",
    rulesOf: () => rules,
    toArguments: (input) => input,
    toCallId: (id) => callIdFor(rules.callIds, id),
    takesReasoning: ({ model }) => model === "local/same",
  });
}

function bodyOf({ rules, messages, model = "m", systemPrompt = [], tools = [], settings }: Asked): string {
  const asked = { model, conversationId: "c", systemPrompt, messages, tools };
  return encoderOf(rules).encode(settings === undefined ? asked : { ...asked, settings });
}

function user(...texts: readonly string[]): ModelMessage {
  return { role: "user", parts: texts.map((text) => ({ type: "text", text })) };
}

function reply(...parts: readonly MessagePart[]): ModelMessage {
  return { role: "assistant", parts };
}

function text(said: string): MessagePart {
  return { type: "text", text: said };
}

function called(id: string): readonly ModelMessage[] {
  return [
    reply({ type: "tool-call", toolCallId: id, name: "look", input: "{}" }),
    { role: "tool", parts: [{ type: "tool-result", toolCallId: id, name: "look", output: "42", isError: false }] },
  ];
}

const stopped = [user("one"), ...called("call_PTLP0x2aQk")];
const bodySchema = z.looseObject({
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.unknown(), reasoning_content: z.string().optional() }),
  ),
});

function messagesOf(body: string): z.output<typeof bodySchema>["messages"] {
  return bodySchema.parse(JSON.parse(body)).messages;
}

function rolesOf(body: string): readonly string[] {
  return messagesOf(body).map(({ role }) => role);
}

test.each([
  ["https://api.mistral.ai/v1", "mistral"],
  ["https://openrouter.ai/api/v1", "openrouter"],
  ["https://example.openai.azure.com/openai", "azure"],
  ["https://eu.api.openai.com/v1", "openai"],
  ["https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen"],
  ["https://api.z.ai/api/coding/paas/v4", "zai"],
  ["http://localhost:11434/v1", "ollama"],
  ["http://127.0.0.1:1234/v1", "lmstudio"],
  ["http://127.0.0.1:8080/v1", "strict"],
  ["https://notopenai.com/v1", "strict"],
  [undefined, "strict"],
] as const)("familyOfHost maps %p to the family %s", (url, family) => {
  expect(familyOfHost(url)).toBe(family);
});

test("familyRules adds a model's rules on any host, and configured rules win", () => {
  const openrouter = { baseUrl: "https://openrouter.ai/api/v1" };

  expect(familyRules(openrouter, "mistralai/devstral-medium")).toMatchObject({
    alternates: true,
    callIds: { maxLength: 9 },
  });
  expect(familyRules(openrouter, "anthropic/claude-opus-5").marksCache).toBe(true);
  expect(familyRules(openrouter, "deepseek/deepseek-v4-pro").missingReasoning).toBe(" ");
  expect(familyRules(openrouter, "qwen/qwen3-coder")).toEqual({ refusesEmpty: true, callIds: { maxLength: 40 } });
  expect(familyRules({ family: "openai" }, "mistral-small")).toEqual(chatFamilies.openai);
  const dialect = toDialect({ alternate_roles: false, content_of_calls: "empty", call_ids: "any" });
  expect(familyRules({ family: "mistral", dialect }, "mistral-small")).toMatchObject({
    alternates: false,
    contentOfCalls: "",
    callIds: undefined,
  });
});

test("ChatEncoder inserts a reply between a result and a message where the family requires it", () => {
  const messages = [...stopped, user("two"), user("three")];

  expect(rolesOf(bodyOf({ rules: chatFamilies.openai, messages }))).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
    "user",
  ]);
  const bridged = ["user", "assistant", "tool", "assistant", "user", "assistant", "user"];
  for (const rules of [chatFamilies.mistral, chatFamilies.strict])
    expect(rolesOf(bodyOf({ rules, messages }))).toEqual(bridged);
});

test("ChatEncoder inserts a user message before a reply that follows another reply", () => {
  const messages = [reply(text("a")), reply(text("b")), user("two")];

  const sent = messagesOf(bodyOf({ rules: chatFamilies.mistral, messages }));

  expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant", "user"]);
  expect(sent[0]?.content).toBe("(continue)");
});

test("ChatEncoder joins system texts for a family that accepts one", () => {
  const asked = { messages: stopped, systemPrompt: ["a", "b"] };

  expect(rolesOf(bodyOf({ rules: chatFamilies.xai, ...asked })).slice(0, 3)).toEqual(["system", "system", "user"]);
  expect(messagesOf(bodyOf({ rules: chatFamilies.minimax, ...asked }))[0]?.content).toBe("a\n\nb");
});

test("ChatEncoder fills in reasoning_content for other models' calls and keeps the model's own", () => {
  const rules = familyRules({ family: "deepseek" }, "deepseek-v4-pro");
  const [call = user("")] = called("a");
  const own = { ...call, model: "local/same", parts: [{ type: "reasoning" as const, text: "Hm" }, ...call.parts] };

  const sent = messagesOf(bodyOf({ rules, messages: [user("one"), ...called("b"), own] }));

  expect(sent.map((message) => message.reasoning_content)).toEqual([undefined, "", undefined, "Hm"]);
  const refused = messagesOf(bodyOf({ rules: chatFamilies.groq, messages: [user("one"), own] }));
  expect(refused[1]?.reasoning_content).toBeUndefined();
});

test("ChatEncoder marks the last system text and the request for explicit caches", () => {
  const rules = familyRules({ family: "openrouter" }, "anthropic/claude-opus-5");

  const body = bodyOf({ rules, messages: stopped, systemPrompt: ["a", "b"] });

  expect(JSON.parse(body)).toMatchObject({
    cache_control: { type: "ephemeral" },
    messages: [
      { role: "system", content: "a" },
      { role: "system", content: [{ type: "text", text: "b", cache_control: { type: "ephemeral" } }] },
      { role: "user", content: "one" },
      {},
      {},
    ],
  });
});

test("ChatEncoder sends only the chosen tool where tool_choice is a string", () => {
  const tools = ["a", "b"].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));

  const body = bodyOf({
    rules: chatFamilies.lmstudio,
    messages: stopped,
    tools,
    settings: { toolChoice: { name: "b" } },
  });

  expect(JSON.parse(body)).toMatchObject({ tool_choice: "required", tools: [{ function: { name: "b" } }] });
  expect(bodyOf({ rules: chatFamilies.lmstudio, messages: stopped })).toContain('"content":""');
});

test("callIdFor returns nine letters or digits for Mistral, stable, and different for different ids", () => {
  const property = fc.property(
    fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }),
    (ids) => {
      const sent = ids.map((id) => callIdFor(chatFamilies.mistral.callIds, id));
      for (const id of sent) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
      expect(new Set(sent).size).toBe(ids.length);
      expect(sent.map((id) => callIdFor(chatFamilies.mistral.callIds, id))).toEqual(sent);
    },
  );
  fc.assert(property);
});

const image: MessagePart = { type: "file", mediaType: "image/png", data: "AA==" };
const models = [
  "m",
  "deepseek-v4-pro",
  "kimi-k2.6",
  "glm-5.2",
  "devstral-medium",
  "anthropic/claude-opus-5",
] as const;
const piece = fc.oneof(
  fc.constant([user("more")]),
  fc.constant([user(" ")]),
  fc.constant([user("with", "")]),
  fc.constant([reply(text("answer"))]),
  fc.constant([reply()]),
  fc.constant([reply({ type: "reasoning", text: "Hm" })]),
  fc.uuid().map((id) => called(`call_${id}_${id}`)),
  fc
    .uuid()
    .map((id) => [
      { ...reply({ type: "reasoning", text: "Hm" }, text("same")), model: "local/same" },
      user("more"),
      ...called(id),
    ]),
  fc.constant<readonly ModelMessage[]>([{ role: "user", parts: [image, text("look")] }]),
);
const history = fc.array(piece, { maxLength: 12 });

test("ChatEncoder keeps the rules of every family for any history and model", () => {
  const property = fc.property(
    fc.constantFrom(...chatFamilyNames),
    fc.constantFrom(...models),
    history,
    fc.constantFrom<ModelSettings>({}, { seed: 1, parallelToolCalls: false }, { toolChoice: { name: "look" } }),
    (family, model, pieces, settings) => {
      const tools =
        settings.toolChoice === undefined
          ? []
          : [{ name: "look", description: "", inputSchema: { type: "object" } }];
      // DeepSeek's models accept no images: the host sends none.
      const said = pieces.filter(
        (messages) => family !== "deepseek" || !messages.some(({ parts }) => parts.includes(image)),
      );
      const messages = [user("first"), ...said.flat(), user("last")];
      const rules = familyRules({ family }, model);
      const body = bodyOf({ rules, messages, model, systemPrompt: ["a", "b"], tools, settings });
      expect(brokenRules(family, body)).toEqual([]);
    },
  );
  fc.assert(property, { numRuns: 600 });
});

test("ChatEncoder encodes any history's start as a prefix of the whole, across restarts", () => {
  const property = fc.property(
    fc.constantFrom(...chatFamilyNames),
    fc.constantFrom(...models),
    history,
    fc.nat(),
    (family, model, pieces, place) => {
      const rules = familyRules({ family }, model);
      const all = [user("first"), ...pieces.flat()];
      const count = place % (all.length + 1);
      const encoder = encoderOf(rules);
      const request = { model, conversationId: "c", systemPrompt: ["a", "b"], messages: all, tools: [] };

      const beginning = encoder.encode({ ...request, messages: all.slice(0, count) });
      const whole = encoder.encode(request);

      expect(whole).toStartWith(beginning.slice(0, -"]}".length));
      expect(encoderOf(rules).encode(request)).toBe(whole);
    },
  );
  fc.assert(property, { numRuns: 600 });
});
