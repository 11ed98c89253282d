import type { ModelMessage } from "@incipit/schema";
import { expect, test } from "bun:test";
import { callIdFor } from "@incipit/model-endpoint";
import { ChatEncoder } from "@incipit/wire";
import fc from "fast-check";
import * as z from "zod";
import { chatFamilies, chatFamilyOf, type ChatFamily } from "./chat-family.ts";

function bodyOf(
  family: ChatFamily,
  messages: readonly ModelMessage[],
  systemPrompt: readonly string[] = [],
): string {
  return encoderOf(family).encode({ model: "m", conversationId: "c", systemPrompt, messages, tools: [] });
}

function encoderOf(family: ChatFamily): ChatEncoder {
  return new ChatEncoder({
    dialect: "compatible",
    metadataKey: "local",
    rulesOf: () => family,
    toArguments: (input) => input,
    toCallId: (id) => callIdFor(family.callIds, id),
    takesReasoning: () => false,
  });
}

function user(text: string): ModelMessage {
  return { role: "user", parts: [{ type: "text", text }] };
}

const called: readonly ModelMessage[] = [
  user("one"),
  { role: "assistant", parts: [{ type: "tool-call", toolCallId: "call_PTLP0x2aQk", name: "look", input: "{}" }] },
  {
    role: "tool",
    parts: [{ type: "tool-result", toolCallId: "call_PTLP0x2aQk", name: "look", output: "42", isError: false }],
  },
];

const rolesSchema = z.object({ messages: z.array(z.object({ role: z.string() })) });

function rolesOf(body: string): readonly string[] {
  const { messages } = rolesSchema.parse(JSON.parse(body));
  return messages.map(({ role }) => role);
}

test("chatFamilyOf tells a family by its host and by the model, and takes whoever is not known for strict", () => {
  for (const [url, model, family] of [
    ["https://api.mistral.ai/v1", "anything", "mistral"],
    ["https://openrouter.ai/api/v1", "mistralai/devstral-medium", "mistral"],
    ["https://openrouter.ai/api/v1", "qwen/qwen3-coder", "openai"],
    ["https://example.openai.azure.com/openai", "gpt-5", "openai"],
    ["http://127.0.0.1:8080/v1", "gemma-3-27b-it", "strict"],
    ["http://127.0.0.1:11434/v1", "mistral-small:24b", "mistral"],
    [undefined, "m", "strict"],
  ] as const)
    expect([url, model, chatFamilyOf(url, model)]).toEqual([url, model, chatFamilies[family]]);
});

test("a message behind a result, or behind one that nobody has answered, has a reply in front of it where roles alternate", () => {
  const history = [...called, user("two"), user("three")];

  expect(rolesOf(bodyOf(chatFamilies.openai, history))).toEqual(["user", "assistant", "tool", "user", "user"]);
  expect(rolesOf(bodyOf(chatFamilies.strict, history))).toEqual([
    "user",
    "assistant",
    "tool",
    "user",
    "assistant",
    "user",
  ]);
  expect(rolesOf(bodyOf(chatFamilies.mistral, history))).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
});

test("ids of calls have nine letters or digits for Mistral, the same for a call and its result, and each its own", () => {
  const property = fc.property(
    fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }),
    (ids) => {
      const sent = ids.map((id) => callIdFor(chatFamilies.mistral.callIds, id));
      for (const id of sent) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
      expect(new Set(sent).size).toBe(ids.length);
      expect(sent.map((id) => callIdFor(chatFamilies.mistral.callIds, id))).toEqual(sent); // What it took stays.
    },
  );
  fc.assert(property);
  const ids = bodyOf(chatFamilies.mistral, called)
    .match(/"(?:id|tool_call_id)":"[^"]+"/g)
    ?.map((text) => text.split('"')[3]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test("several system texts are one message where one is taken", () => {
  expect(rolesOf(bodyOf(chatFamilies.openai, called, ["a", "b"])).slice(0, 3)).toEqual([
    "system",
    "system",
    "user",
  ]);
  expect(bodyOf(chatFamilies.strict, called, ["a", "b"])).toContain(
    '{"role":"system","content":"a\\n\\nb"},{"role":"user"',
  );
});

test("each request is a beginning of the next one, whatever stands between their messages", () => {
  const message = fc.constantFrom<readonly ModelMessage[]>([user("more")], called, [
    ...called,
    { role: "assistant", parts: [{ type: "text", text: "done" }] },
  ]);
  const property = fc.property(
    fc.constantFrom(...Object.values(chatFamilies)),
    fc.array(message, { minLength: 1, maxLength: 6 }),
    (family, added) => {
      const encoder = encoderOf(family);
      const history: ModelMessage[] = [];
      let before = "";
      for (const messages of added) {
        history.push(...messages);
        const request = { model: "m", conversationId: "c", systemPrompt: ["s"], messages: [...history], tools: [] };
        const body = encoder.encode(request);
        expect(body).toStartWith(before);
        // The same from the beginning, as after a restart.
        expect(body).toBe(encoderOf(family).encode(request));
        before = body.slice(0, -"]}".length);
      }
    },
  );
  fc.assert(property);
});
