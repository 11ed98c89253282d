import type { MessagePart, ModelMessage } from "@incipit/schema";
import { modelProvidersPoint } from "@incipit/service-contract";
import {
  modelRequest,
  startExtension,
  startRecordingModelServer,
  type RecordingModelServer,
} from "@incipit/testkit";
import { expect, test } from "bun:test";
import fc from "fast-check";
import extension from "./extension.ts";

const text = fc.oneof(fc.constantFrom("", " \n", "yes", " padded\n", "NUL \u0000 é 🎉"), fc.string());
const reasoning = fc.record({
  type: fc.constant("reasoning" as const),
  text,
  metadata: fc.constantFrom({}, { anthropic: { signature: "c2ln" } }, { anthropic: { redactedData: "cmVk" } }),
});
const said = fc.array(fc.oneof(reasoning, fc.record({ type: fc.constant("text" as const), text })), {
  maxLength: 4,
});
const inputs: fc.Arbitrary<string> = fc.constantFrom(
  "{}",
  '{ "x" : 1.0 }',
  '{"cut',
  '"text"',
  '{"__proto__":{"a":1},"2":1,"1":2}',
  '{"a":"\\ud83d","\\udd00":[1]}',
);
const names: fc.Arbitrary<string> = fc.constantFrom("a", "b", "constructor", "__proto__", "toString");
const calls = fc.array(fc.record({ name: names, input: inputs, output: text, isError: fc.boolean() }), {
  maxLength: 24,
});
const models = fc.constantFrom("claude/claude-test", "claude/other", "openai/gpt");

const exchange = fc.record({ asked: fc.array(text, { maxLength: 3 }), said, calls, model: models });

type Exchange = typeof exchange extends fc.Arbitrary<infer Value> ? Value : never;

/** Every call has a result in the next message, and a user message comes first. */
function toMessages(exchanges: readonly Exchange[]): readonly ModelMessage[] {
  const first: ModelMessage = { role: "user", parts: [{ type: "text", text: "begin" }] };
  const rest = exchanges.flatMap((each, turn): ModelMessage[] => {
    const ids = each.calls.map((_, index) => `functions.a:${turn}.${index}`);
    const called = each.calls.map(({ name, input }, index): MessagePart => ({
      type: "tool-call",
      toolCallId: ids[index] ?? "",
      name,
      input,
    }));
    const results = each.calls.map(({ name, output, isError }, index): MessagePart => ({
      type: "tool-result",
      toolCallId: ids[index] ?? "",
      name,
      output,
      isError,
    }));
    return [
      ...each.asked.map((asked): ModelMessage => ({ role: "user", parts: [{ type: "text", text: asked }] })),
      { role: "assistant", parts: [...each.said, ...called], model: each.model },
      ...(results.length === 0 ? [] : [{ role: "tool", parts: results } as const]),
    ];
  });
  return [first, ...rest];
}

function isBlank(message: ModelMessage | undefined): boolean {
  return message?.parts.every((part) => part.type === "text" && part.text.trim() === "") === true;
}

function open(server: RecordingModelServer) {
  return startExtension(extension, {
    config: { providers: { claude: { kind: "anthropic", base_url: server.urlOf("anthropic"), api_key_env: "K" } } },
    env: { K: "sk-ant-test" },
    net: server,
  });
}

test("[attack:bounds-damaged-history] provider-anthropic accepts a history with an endlessly nested call", async () => {
  await using server = await startRecordingModelServer();
  await using world = await open(server);
  const nested = (levels: number): string => `{"path":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const sentInput = async (input: string): Promise<string> => {
    const calls = [{ name: "a", input, output: "wrong", isError: true }];
    const messages = toMessages([{ asked: [], said: [], calls, model: "claude/claude-test" }]);
    const request = modelRequest({ model: "claude-test", messages });
    for await (const event of world.contribution(modelProvidersPoint).stream(request))
      if (event.type === "failure") throw new Error(event.error.message);
    return /"input":(.*?)(?:,"cache_control"[^}]*\})?\}\]/.exec(server.requests.at(-1)?.body ?? "")?.[1] ?? "";
  };

  expect(await sentInput(nested(60_000))).toBe("{}");
  expect(await sentInput(nested(100))).toBe(nested(100));
});

test("provider-anthropic writes any history validly, as a byte prefix of longer ones, across restarts", async () => {
  await using server = await startRecordingModelServer();
  await using kept = await open(server);
  await using other = await open(server);
  let conversations = 0;
  const property = fc.asyncProperty(fc.array(exchange, { maxLength: 6 }), async (exchanges) => {
    const messages = toMessages(exchanges);
    conversations += 1;
    server.forget();
    const ends = [...messages.keys()]
      .filter((index) => messages[index]?.role !== "assistant" && !isBlank(messages[index]))
      .map((index) => index + 1);
    const send = async (world: typeof kept, conversationId: string, length: number): Promise<string> => {
      const request = modelRequest({
        model: "claude-test",
        conversationId,
        systemPrompt: ["Be brief."],
        messages: messages.slice(0, length),
        tools: [{ name: "a", description: "A", inputSchema: { type: "object" } }],
      });
      for await (const event of world.contribution(modelProvidersPoint).stream(request))
        if (event.type === "failure") throw new Error(event.error.message);
      return server.requests.at(-1)?.body ?? "";
    };
    let before: string | undefined;
    for (const end of ends) {
      const body = await send(kept, `kept ${conversations}`, end);
      if (before !== undefined) expect(body).toStartWith(before.slice(0, -2));
      before = body;
    }
    expect(await send(other, `other ${conversations}`, ends.at(-1) ?? 0)).toBe(before ?? "");
    expect(server.problems).toEqual([]);
  });
  await fc.assert(property, { numRuns: 60 });
});
