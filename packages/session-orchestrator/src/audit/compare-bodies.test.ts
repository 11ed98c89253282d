import { expect, test } from "bun:test";
import fc from "fast-check";
import { compareBodies } from "./compare-bodies.ts";

const user = (content: string): object => ({ role: "user", content });
const tool = (name: string): object => ({ type: "function", function: { name } });

const wires = {
  chat: ({ system, tools, messages }: Talk) => ({
    model: "m",
    tools: tools.map(tool),
    messages: [{ role: "system", content: system }, ...messages.map(user)],
  }),
  "chat, tools behind": ({ system, tools, messages }: Talk) => ({
    model: "m",
    messages: [{ role: "system", content: system }, ...messages.map(user)],
    tools: tools.map(tool),
    stream: true,
  }),
  anthropic: ({ system, tools, messages }: Talk) => ({
    model: "m",
    system: [{ type: "text", text: system, cache_control: { type: "ephemeral" } }],
    tools: tools.map(tool),
    messages: messages.map((text, index) => ({
      role: "user",
      content: [
        { type: "text", text, ...(index === messages.length - 1 ? { cache_control: { type: "ephemeral" } } : {}) },
      ],
    })),
  }),
  gemini: ({ system, tools, messages }: Talk) => ({
    systemInstruction: { parts: [{ text: system }] },
    tools: [{ functionDeclarations: tools.map((name) => ({ name })) }],
    contents: messages.map((text) => ({ role: "user", parts: [{ text }] })),
  }),
  responses: ({ system, tools, messages }: Talk) => ({
    model: "m",
    instructions: system,
    tools: tools.map(tool),
    input: messages.map(user),
  }),
} as const;

interface Talk {
  readonly system: string;
  readonly tools: readonly string[];
  readonly messages: readonly string[];
}

const talk: Talk = { system: 'It is "noon", \\ ü', tools: ["a", "b"], messages: ["one", "two"] };
const next: Talk = { ...talk, messages: ["one", "two", "three"] };

for (const [vendor, write] of Object.entries(wires)) {
  const bodyOf = (given: Talk): string => JSON.stringify(write(given));

  test(`compareBodies returns no difference for a continued ${vendor} request`, () => {
    const compared = compareBodies({ body: bodyOf(talk) }, bodyOf(next));

    expect(compared.difference).toBeNull();
    expect(compared.sharedBytes).toBe(compared.previousBytes);
    expect(compared.sizeBytes).toBeGreaterThan(compared.previousBytes);
  });

  test(`compareBodies returns the first differing byte and part of a ${vendor} request in cache order`, () => {
    const changes: Readonly<Record<string, readonly [Talk, string]>> = {
      system: [{ ...next, system: talk.system.replace("noon", "late") }, "late"],
      tools: [{ ...next, tools: ["a", "x"], system: "another" }, 'x"'],
      "message:1": [{ ...next, messages: ["one", "TWO", "three"] }, "TWO"],
    };
    for (const [part, [changed, at]] of Object.entries(changes)) {
      const body = bodyOf(changed);
      const { difference, sharedBytes, previousBytes } = compareBodies({ body: bodyOf(talk) }, body);

      expect(difference?.part).toBe(part);
      expect(Buffer.from(body).subarray(difference?.bodyByte).toString()).toStartWith(at);
      expect(sharedBytes).toBeLessThan(previousBytes);
    }
  });
}

test("compareBodies reports a removed part and its position", () => {
  const body = JSON.stringify(wires.chat({ ...talk, messages: ["one"] }));

  const { difference } = compareBodies({ body: JSON.stringify(wires.chat(talk)) }, body);

  expect(difference).toMatchObject({
    part: "message:1",
    partByte: 0,
    bodyByte: Buffer.byteLength(body) - "]}".length,
  });
});

test("compareBodies compares unknown bodies byte by byte", () => {
  expect(compareBodies({ body: "abcdef" }, "abcdefgh")).toMatchObject({
    sharedBytes: 6,
    previousBytes: 6,
    difference: null,
  });
  expect(compareBodies({ body: "äbcdef" }, "äbXdef")).toMatchObject({
    sharedBytes: 3,
    previousBytes: 7,
    difference: { part: "body", bodyByte: 3 },
  });
});

test("compareBodies shares all previous bytes exactly when nothing differs, for any requests", () => {
  const anyTalk = fc.record({
    system: fc.string({ unit: "grapheme" }),
    tools: fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }),
    messages: fc.array(fc.string({ unit: "grapheme", maxLength: 6 }), { maxLength: 4 }),
  });
  const property = fc.property(fc.constantFrom(...Object.values(wires)), anyTalk, anyTalk, (write, a, b) => {
    const body = JSON.stringify(write(b));
    const { sharedBytes, previousBytes, difference } = compareBodies({ body: JSON.stringify(write(a)) }, body);
    const isPrefix =
      a.system === b.system &&
      JSON.stringify(a.tools) === JSON.stringify(b.tools) &&
      a.messages.every((message, index) => b.messages[index] === message);

    expect(difference === null).toBe(isPrefix);
    expect(sharedBytes).toBeLessThanOrEqual(previousBytes);
    if (isPrefix) expect(sharedBytes).toBe(previousBytes);
    else expect(difference?.bodyByte).toBeLessThanOrEqual(Buffer.byteLength(body));
  });
  fc.assert(property, { numRuns: 500 });
});
