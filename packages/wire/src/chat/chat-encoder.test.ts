import type { MessagePart, ModelMessage } from "@incipit/schema";
import { jscDescribe } from "bun:jsc";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ChatEncoder } from "./chat-encoder.ts";
import type { ChatRequest } from "./chat-request.ts";

interface Watched {
  readonly encoder: ChatEncoder;
  readonly written: readonly string[];
}

function newEncoder(): Watched {
  const written: string[] = [];
  const encoder = new ChatEncoder({
    dialect: "compatible",
    metadataKey: "acme",
    toArguments: (input) => {
      written.push(input);
      return input;
    },
    toCallId: (id) => id,
    takesReasoning: () => true,
  });
  return { encoder, written };
}

function request(messages: readonly ModelMessage[], more: Partial<ChatRequest> = {}): ChatRequest {
  return { model: "m", conversationId: "c", systemPrompt: ["Be brief."], messages, tools: [], ...more };
}

function called(input: string): ModelMessage {
  return { role: "assistant", parts: [{ type: "tool-call", toolCallId: input, name: "a", input }] };
}

const said = (text: string): ModelMessage => ({ role: "user", parts: [{ type: "text", text }] });

test("ChatEncoder serializes each message of a conversation once, also for equal copies", () => {
  const { encoder, written } = newEncoder();
  const messages = ["1", "2", "3", "4"].map(called);

  for (const count of [1, 2, 2, 3, 4]) encoder.encode(request(messages.slice(0, count)));
  const [first, ...others] = messages;
  const copied = [structuredClone(first ?? said("")), ...others, said("more")];
  const body = encoder.encode(request(copied));

  expect(written).toEqual(["1", "2", "3", "4"]);
  expect(body).toBe(newEncoder().encoder.encode(request(copied)));
});

test("ChatEncoder returns a flat string for a growing request", () => {
  const { encoder } = newEncoder();
  const messages = Array.from({ length: 50 }, (_, index) => said(`message ${index} 🎉`));

  for (let count = 0; count <= messages.length; count += 1)
    expect(jscDescribe(encoder.encode(request(messages.slice(0, count))))).not.toContain("rope");
});

test("ChatEncoder output does not depend on earlier requests", () => {
  const part = fc.oneof(
    fc.string().map((text): MessagePart => ({ type: "text", text })),
    fc.string().map((text): MessagePart => ({ type: "reasoning", text })),
    fc.string().map((input): MessagePart => ({ type: "tool-call", toolCallId: "t", name: "a", input })),
  );
  const message = fc.record({
    role: fc.constantFrom("user" as const, "assistant" as const),
    parts: fc.array(part, { maxLength: 2 }),
  });
  const change = fc.record({
    places: fc.array(fc.nat({ max: 5 }), { maxLength: 6 }),
    model: fc.constantFrom("m", "m", "n"),
    systemPrompt: fc.constantFrom(["a"], ["a"], [], ["a", "b"]),
    settings: fc.constantFrom({}, {}, { temperature: 1 }),
  });
  const property = fc.property(
    fc.array(message, { minLength: 6, maxLength: 6 }),
    fc.array(change, { maxLength: 8 }),
    (messages, changes) => {
      const { encoder } = newEncoder();
      for (const { places, ...more } of changes) {
        const sent = request(
          places.flatMap((place) => messages[place] ?? []),
          more,
        );
        expect(encoder.encode(sent)).toBe(newEncoder().encoder.encode(sent));
      }
    },
  );
  fc.assert(property);
});

test("ChatEncoder encodes one text like the same text in two parts, and omits blank replies", () => {
  const bodyOf = (role: "user" | "assistant", ...texts: readonly string[]): string => {
    const parts = texts.map((text) => ({ type: "text", text }) as const);
    return newEncoder().encoder.encode(request([said("before"), { role, parts }]));
  };

  for (const text of ["Hello", 'a "q" \\ \u0000 漢 🎉', " ", "\n", "\uFEFF", ""])
    expect(bodyOf("assistant", text)).toBe(bodyOf("assistant", text, ""));
  for (const blank of ["", " \n", "\uFEFF"])
    expect(bodyOf("assistant", blank)).toBe(newEncoder().encoder.encode(request([said("before")])));
  expect(bodyOf("user", " ")).toEndWith('{"role":"user","content":"before"},{"role":"user","content":" "}]}');
});

test("ChatEncoder rejects a file that the protocol does not support", () => {
  const file: ModelMessage = { role: "user", parts: [{ type: "file", mediaType: "text/csv", data: "" }] };

  expect(() => newEncoder().encoder.encode(request([file]))).toThrow('no place for a file of type "text/csv"');
});
