import type { MessagePart, ModelMessage, ModelSettings, ToolDefinition } from "@incipit/schema";
import type { ModelRequest } from "@incipit/service-contract";
import { modelRequest, sampleCount } from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { BothProviders, chatKinds, type ChatKind, type SentRequest } from "./testing/both-providers.ts";

/** Any UTF-16 units, including lone surrogates, NUL and line breaks. */
const oddText = fc
  .array(
    fc.oneof(
      fc.constantFrom(0xd83c, 0xdf89, 0xdc00, 0, 10, 13, 34, 92, 0x2028, 0xfeff),
      fc.integer({ min: 0, max: 0xff_ff }),
    ),
    { maxLength: 12 },
  )
  .map((units) => String.fromCharCode(...units));
const text = fc.oneof(oddText, fc.string(), fc.constantFrom("", " ", "\n\t", "Be brief.", "🎉", "__proto__"));
const name = fc.oneof(fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/), fc.constantFrom("constructor", "toString", "a"));
const callId = fc.oneof(
  fc.constantFrom("t1", "toolu_01", `chatcmpl-${"a".repeat(60)}`, `chatcmpl-${"a".repeat(59)}é`, ""),
  text,
);
const input = fc.oneof(
  fc.json(),
  text,
  fc.constantFrom(
    "{}",
    "",
    '{ "b" : 1,"a":"é\\u0000" }',
    "[1]",
    "null",
    '"{}"',
    '{"a":',
    `${'{"a":'.repeat(200)}1${"}".repeat(200)}`,
  ),
);
const marked = { incipit: { reasoningField: "reasoning_content" } };

function metadataFor(id: string): fc.Arbitrary<object> {
  const signed = fc.constantFrom("sig", "Q2k+/=\u0000é", "").map((thoughtSignature) => ({ thoughtSignature }));
  return fc.oneof(
    fc.constant({}),
    signed.map((said) => ({ metadata: { [id]: said } })),
    signed.map((said) => ({ metadata: { google: said } })),
    signed.map((said) => ({ metadata: { openaiCompatible: said } })),
  );
}

function messageFor(kind: ChatKind, id: string): fc.Arbitrary<ModelMessage> {
  const types = kind === "openai" ? ["image/png", "image/jpeg", "application/pdf"] : ["image/png", "image/webp"];
  const file: fc.Arbitrary<MessagePart> = fc.record(
    {
      type: fc.constant("file" as const),
      mediaType: fc.constantFrom(...types),
      data: fc.base64String(),
      filename: text,
    },
    { requiredKeys: ["type", "mediaType", "data"] },
  );
  const said: fc.Arbitrary<MessagePart> = text.map((said) => ({ type: "text", text: said }));
  const thought: fc.Arbitrary<MessagePart> = fc.oneof(
    text.map((said) => ({ type: "reasoning" as const, text: said })),
    text.map((said) => ({ type: "reasoning" as const, text: said, metadata: marked })),
  );
  const call: fc.Arbitrary<MessagePart> = fc
    .record({ toolCallId: callId, name, input, metadata: metadataFor(id) })
    .map(({ metadata, ...called }) => ({ type: "tool-call" as const, ...called, ...metadata }));
  const result: fc.Arbitrary<MessagePart> = fc.record({
    type: fc.constant("tool-result" as const),
    toolCallId: callId,
    name,
    output: text,
    isError: fc.boolean(),
  });
  const parts = (part: fc.Arbitrary<MessagePart>): fc.Arbitrary<readonly MessagePart[]> =>
    fc.array(part, { maxLength: 4 });
  return fc.oneof(
    parts(fc.oneof(said, file)).map((all) => ({ role: "user" as const, parts: all })),
    said.map((one) => ({ role: "user" as const, parts: [one] })),
    fc
      .tuple(
        parts(fc.oneof(said, thought, call)),
        fc.constantFrom(undefined, `${id}/m`, `${id}/deepseek-chat`, "other/m"),
      )
      .map(([all, model]) => ({
        role: "assistant" as const,
        parts: all,
        ...(model === undefined ? {} : { model }),
      })),
    parts(result).map((all) => ({ role: "tool" as const, parts: all })),
  );
}

const { schema: anySchema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record(
      {
        type: fc.constantFrom("object", "string", ["string", "null"]),
        pattern: fc.constantFrom("^a$", "(?=a)b", "(?<!a)b", "[(?=]", "\\(?=", "(?:a)"),
        minimum: fc.constantFrom(0, -0, 1e21, 1.5),
        description: text,
        1: fc.constant("an index"),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 3 }),
        propertyNames: fc.constantFrom({ pattern: "a" }, { type: "string" }, null),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
        allOf: fc.oneof(
          fc.constantFrom([{ $ref: "#/$defs/a" }], [{ $ref: "#/definitions/a~1b" }], [{ $ref: "#/$defs/none" }]),
          fc.array(tie("schema"), { maxLength: 2 }),
        ),
        anyOf: fc.array(tie("schema"), { maxLength: 2 }),
        not: tie("schema"),
        if: tie("schema"),
        dependencies: fc.constantFrom({ a: ["b"] }, { a: { propertyNames: { pattern: "a" } } }),
        $defs: fc.record({ a: tie("schema") }),
        definitions: fc.record({ "a/b": tie("schema") }),
      },
      { requiredKeys: [] },
    ),
  ),
}));
const jsonSchema = anySchema.map((schema): ToolDefinition["inputSchema"] => JSON.parse(JSON.stringify(schema)));

const tool: fc.Arbitrary<ToolDefinition> = fc.record({ name, description: text, inputSchema: jsonSchema });
const number = fc.oneof(fc.double(), fc.constantFrom(0, -0, 1, 1e21, 1e-7, Number.NaN, Infinity));
const settings: fc.Arbitrary<ModelSettings> = fc.record(
  {
    temperature: number,
    topP: number,
    presencePenalty: number,
    frequencyPenalty: number,
    seed: number,
    stopSequences: fc.array(text, { maxLength: 2 }),
    maxOutputTokens: number,
    reasoningEffort: fc.constantFrom("none", "minimal", "low", "medium", "high", "xhigh"),
    toolChoice: fc.oneof(fc.constantFrom("auto", "none", "required"), fc.record({ name })),
    parallelToolCalls: fc.constant(false),
    responseFormat: fc.record(
      { type: fc.constant("json" as const), name, schema: jsonSchema, isStrict: fc.boolean() },
      { requiredKeys: ["type"] },
    ),
  },
  { requiredKeys: [] },
);

const models = [
  [
    "m",
    "deepseek-chat",
    "gpt-3.5-turbo",
    "gpt-4.1",
    "gpt-4o",
    "gpt-4o-search-preview",
    "gpt-4o-mini-search-preview-2025-03-11",
  ],
  [
    "o1",
    "o3-mini",
    "o1-2024-12-17",
    "o10x",
    "gpt-5",
    "gpt-5-2025-08-07",
    "gpt-5-nano",
    "gpt-5-chat-latest",
    "gpt-5-codex",
  ],
  [
    "gpt-5.1",
    "gpt-5.1-codex-max",
    "gpt-5.2",
    "gpt-5.2-pro",
    "gpt-5.3-chat-latest",
    "gpt-5.4-mini-2026-03-17",
    "gpt-5.6",
  ],
  [
    "gpt-5.6-sol",
    "gpt-6-astra",
    "gpt-6-sol",
    "gpt-6-luna",
    "gpt-6.1-sol",
    "gpt-6.1-terra",
    "gpt-7",
    "constructor",
    "GPT-5",
  ],
].flat();
const model = fc.oneof(
  fc.constantFrom(...models),
  fc
    .tuple(
      fc.integer({ min: 3, max: 7 }),
      fc.integer({ min: 0, max: 7 }),
      fc.constantFrom("", "-mini", "-pro", "-chat", "-2026-01-01"),
    )
    .map(([major, minor, variant]) => `gpt-${major}.${minor}${variant}`),
);

interface Conversation {
  readonly kind: ChatKind;
  readonly id: string;
  readonly messages: readonly ModelMessage[];
  readonly requests: readonly {
    readonly count: number;
    readonly model: string;
    readonly settings: ModelSettings;
  }[];
  readonly systemPrompt: readonly string[];
  readonly tools: readonly ToolDefinition[];
  readonly isCopied: boolean;
}

const conversation: fc.Arbitrary<Conversation> = fc
  .tuple(fc.constantFrom(...chatKinds), fc.constantFrom("local", "openai", "openai-compatible", "open_ai", "a.b"))
  .chain(([kind, id]) =>
    fc.record({
      kind: fc.constant(kind),
      id: fc.constant(id),
      messages: fc.array(messageFor(kind, id), { minLength: 1, maxLength: 8 }),
      requests: fc.array(fc.record({ count: fc.integer({ min: 0, max: 8 }), model, settings }), {
        minLength: 1,
        maxLength: 4,
      }),
      systemPrompt: fc.array(text, { maxLength: 3 }),
      tools: fc.uniqueArray(tool, { maxLength: 3, selector: ({ name: told }) => told }),
      isCopied: fc.boolean(),
    }),
  );

function requestOf(
  { messages, systemPrompt, tools, isCopied }: Conversation,
  { count, ...changing }: Conversation["requests"][number],
): ModelRequest {
  const sent = messages.slice(0, count);
  return modelRequest({
    ...changing,
    systemPrompt,
    messages: isCopied ? structuredClone(sent) : sent,
    tools,
  });
}

/** "'parallel_tool_calls' is only allowed when 'tools' are specified": the packages send it regardless. */
function withoutIdleField(sent: SentRequest): SentRequest {
  const { body = "" } = sent;
  return body.includes('"tools":[') ? sent : { ...sent, body: body.replace('"parallel_tool_calls":false,', "") };
}

test("provider-openai sends the same bytes as the AI SDK's packages for any conversation", async () => {
  const property = fc.asyncProperty(conversation, async (said) => {
    const both = new BothProviders(said);
    for (const changing of said.requests) await both.ask(requestOf(said, changing));
    expect(both.sent.own).toEqual(both.sent.package.map(withoutIdleField));
    expect(both.sent.own).toHaveLength(said.requests.length);
  });
  await fc.assert(property, { numRuns: sampleCount(300) });
});

test("provider-openai matches the packages' bytes as a conversation grows, each request extending the last", async () => {
  const growing = conversation.map((said) => ({
    ...said,
    requests: said.messages.map((_, index) => ({ count: index + 1, model: "m", settings: {} })),
  }));
  const property = fc.asyncProperty(growing, async (said) => {
    const both = new BothProviders(said);
    for (const changing of said.requests) await both.ask(requestOf(said, changing));
    const bodies = both.sent.own.map(({ body = "" }) => body);
    expect(bodies).toEqual(both.sent.package.map(({ body = "" }) => body));
    for (const [index, body] of bodies.entries()) expect(body).toStartWith((bodies[index - 1] ?? "").slice(0, -2));
  });
  await fc.assert(property, { numRuns: sampleCount(100) });
});

test.each([
  ["https://api.acme.dev/v1/", true],
  ["https://api.acme.dev/v1//", false],
  ["http://127.0.0.1:8080", true],
  ["https://acme.dev/a b/?x=1", false],
])("provider-openai sends the packages' address, headers and user agent for %p", async (baseUrl, hasKey) => {
  for (const kind of chatKinds) {
    const both = new BothProviders({ kind, baseUrl, hasKey });
    await both.ask(
      requestOf(
        { kind, id: "local", messages: [], requests: [], systemPrompt: [], tools: [], isCopied: false },
        { count: 0, model: "m", settings: {} },
      ),
    );
    expect(both.sent.own).toEqual([...both.sent.package]);
    expect(Object.keys(both.sent.own[0]?.headers ?? {})).toEqual(Object.keys(both.sent.package[0]?.headers ?? {}));
  }
});
