import type { ModelMessage, ToolDefinition } from "@incipit/schema";
import type { FoundTools, ModelRequest } from "@incipit/service-contract";
import { modelRequest, userMessage as user } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { SentMessages } from "./sent-messages.ts";

const none = { count: 0, text: "" };

function request(options: Partial<ModelRequest> = {}): ModelRequest {
  return modelRequest({ systemPrompt: ["s"], ...options });
}

test("SentMessages.find returns stored text for equal messages in other objects", () => {
  const sent = new SentMessages();
  sent.keep(request(), "text");

  expect(sent.find(request({ messages: [user("one"), user("two")] }))).toEqual({ count: 1, text: "text" });
  expect(sent.find(request())).toEqual({ count: 1, text: "text" });
});

test("SentMessages.find returns nothing if model, system, a message, a part or their number changed", () => {
  const call = { type: "tool-call", toolCallId: "t", name: "a", input: "{}" } as const;
  const result = { type: "tool-result", toolCallId: "t", name: "a", output: "o", isError: false } as const;
  const kept = request({
    messages: [user("one"), { role: "assistant", parts: [call] }, { role: "tool", parts: [result] }],
  });
  const sent = new SentMessages();
  sent.keep(kept, "text");
  const changed: readonly Partial<ModelRequest>[] = [
    { conversationId: "other" },
    { model: "other" },
    { systemPrompt: [] },
    { systemPrompt: ["s", "t"] },
    { systemPrompt: ["other"] },
    { messages: [] },
    { messages: kept.messages.toSpliced(0, 1, user("other")) },
    { messages: kept.messages.toSpliced(0, 1, { role: "assistant", parts: [{ type: "text", text: "one" }] }) },
    { messages: kept.messages.toSpliced(1, 1, { role: "assistant", parts: [{ ...call, input: "{ }" }] }) },
    { messages: kept.messages.toSpliced(1, 1, { role: "assistant", parts: [call, call] }) },
    { messages: kept.messages.toSpliced(2, 1, { role: "tool", parts: [{ ...result, output: "other" }] }) },
    { messages: kept.messages.toSpliced(2, 1, { role: "tool", parts: [{ ...result, isError: true }] }) },
  ];

  expect(sent.find(kept).count).toBe(3);
  for (const options of changed) expect(sent.find({ ...kept, ...options })).toEqual(none);
});

test("SentMessages.find returns nothing if results found other tools, and continues after additional ones", () => {
  const definition = (name: string): ToolDefinition => ({ name, description: "", inputSchema: { type: "object" } });
  const found = (name: string): FoundTools => ({ tools: [definition(name)], more: "" });
  const result = {
    type: "tool-result",
    toolCallId: "t",
    name: "search_tools",
    output: "o",
    isError: false,
  } as const;
  const later: ModelMessage = { role: "tool", parts: [{ ...result, toolCallId: "u" }] };
  const named = [definition("a"), definition("b")];
  const lookedUp = { named, found: new Map([["t", found("a")]]) };
  const kept = request({ messages: [user("one"), { role: "tool", parts: [result] }], lookedUp });
  const sent = new SentMessages();
  sent.keep(kept, "text");
  const { lookedUp: _, ...without } = kept;
  const more = new Map([...lookedUp.found, ["u", found("b")] as const]);

  expect(sent.find({ ...kept, lookedUp: structuredClone(lookedUp) }).count).toBe(2);
  const goesOn = { ...kept, messages: [...kept.messages, later], lookedUp: { named, found: more } };
  expect(sent.find(goesOn)).toEqual({ count: 2, text: "text" });
  for (const changed of [
    without,
    { ...kept, lookedUp: { ...lookedUp, named: [definition("a")] } },
    { ...kept, lookedUp: { ...lookedUp, found: new Map() } },
    { ...kept, lookedUp: { ...lookedUp, found: new Map([["t", found("b")]]) } },
  ])
    expect(sent.find(changed)).toEqual(none);
  const other = new SentMessages();
  other.keep(without, "text");
  expect(other.find(kept)).toEqual(none);
});

test("requests for a JSON answer neither use nor store sent text", () => {
  const sent = new SentMessages();
  const inJson = request({ settings: { responseFormat: { type: "json" } } });
  sent.keep(request(), "text");

  sent.keep(inJson, "Return JSON. text");

  expect(sent.find(inJson)).toEqual(none);
  expect(sent.find(request())).toEqual({ count: 1, text: "text" });
});

test("SentMessages.keep stores the newest 16 conversations", () => {
  const sent = new SentMessages();
  const of = (index: number): ModelRequest => request({ conversationId: `c${index}` });

  for (let index = 0; index < 16; index += 1) sent.keep(of(index), "text");
  sent.keep(of(0), "text");
  sent.keep(of(16), "text");

  expect([0, 1, 2, 16].map((index) => sent.find(of(index)).count)).toEqual([1, 0, 1, 1]);
});
