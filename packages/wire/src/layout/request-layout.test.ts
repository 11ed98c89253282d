import { expect, test } from "bun:test";
import fc from "fast-check";
import { ChatEncoder } from "../chat/chat-encoder.ts";
import type { ChatRequest } from "../chat/chat-request.ts";
import { requestLayout } from "./request-layout.ts";

const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"role":"system"', "]}", '\\"', "{", "🎉"));
const request: fc.Arbitrary<ChatRequest> = fc.record({
  model: fc.constant("m"),
  conversationId: fc.constant("c"),
  systemPrompt: fc.array(text, { maxLength: 3 }),
  messages: fc.array(
    text.map((said) => ({ role: "user" as const, parts: [{ type: "text" as const, text: said }] })),
    { maxLength: 5 },
  ),
  tools: fc.uniqueArray(
    text.map((name) => ({ name, description: name, inputSchema: { type: "object", title: name } })),
    { maxLength: 3, selector: ({ name }) => name },
  ),
  settings: fc.constantFrom({}, { toolChoice: "auto" as const }, { responseFormat: { type: "json" as const } }),
});

test("requestLayout finds each part of a ChatEncoder request at its position", () => {
  const property = fc.property(request, (asked) => {
    const encoder = new ChatEncoder({
      dialect: "compatible",
      metadataKey: "acme",
      toArguments: (input) => input,
      toCallId: (id) => id,
      takesReasoning: () => false,
    });
    const body = encoder.encode(asked);
    const { messages, tools, tool_choice: choice, response_format: format } = JSON.parse(body);
    const system = asked.systemPrompt.length;

    const layout = requestLayout(body) ?? [];

    const found = layout.map(({ name, start, end }) => [name, JSON.parse(body.slice(start, end))]);
    expect(found).toEqual([
      ...(tools === undefined ? [] : [["tools", tools]]),
      ...messages.slice(0, system).map((entry: unknown) => ["system", entry]),
      ...(format === undefined ? [] : [["settings", format]]),
      ...(choice === undefined ? [] : [["settings", choice]]),
      ...messages.slice(system).map((entry: unknown, index: number) => [`message:${index}`, entry]),
    ]);
  });
  fc.assert(property);
});

test.each(["", "{}", "[]", '{"messages"', '{"model":"m"}', "7"])(
  "requestLayout returns undefined for %p",
  (body) => {
    expect(requestLayout(body)).toBeUndefined();
  },
);
