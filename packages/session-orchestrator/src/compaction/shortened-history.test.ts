import type { MessagePart, ModelMessage } from "@incipit/schema";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { shortenedHistory, shortenedText } from "./shortened-history.ts";

const text = fc.integer({ min: 1, max: 3_000 }).map((length) => "w".repeat(length));
const file = { type: "file", mediaType: "image/png", data: "A".repeat(90_000) } as const;

const history = fc
  .array(fc.tuple(text, fc.array(fc.tuple(text, text, fc.boolean()), { maxLength: 4 }), fc.boolean()), {
    minLength: 1,
    maxLength: 12,
  })
  .map((turns) =>
    turns.flatMap(([said, steps, isOpen], turn): readonly ModelMessage[] => {
      const asked: ModelMessage = { role: "user", parts: [{ type: "text", text: `${turn} ${said}` }] };
      const called = steps.flatMap(([input, output, hasFile], step): readonly ModelMessage[] => {
        const id = `${turn}-${step}`;
        const reasoning: MessagePart = { type: "reasoning", text: "r".repeat(70_000), metadata: { a: { s: "x" } } };
        const call: MessagePart = {
          type: "tool-call",
          toolCallId: id,
          name: "look",
          input: JSON.stringify({ input }),
        };
        const result = { type: "tool-result", toolCallId: id, name: "look", output, isError: false } as const;
        return [
          { role: "assistant", parts: [reasoning, call] },
          { role: "tool", parts: [hasFile ? { ...result, files: [file] } : result] },
        ];
      });
      const answer: ModelMessage = { role: "assistant", parts: [{ type: "text", text: "done" }] };
      return [asked, ...called, ...(isOpen ? [] : [answer])];
    }),
  );

test("shortenedHistory keeps the newest messages, starts with the user, and keeps calls with results", () => {
  const limits = fc.constantFrom(
    { part: 8_000, total: Infinity },
    { part: 1_000, total: 60_000 },
    { part: 400, total: 12_000 },
    { part: 100, total: 300 },
  );
  const property = fc.property(history, limits, (messages, bounds) => {
    const short = shortenedHistory(messages, bounds);

    expect(short[0]?.role).toBe("user");
    const calls = new Set<string>();
    for (const { parts } of short)
      for (const part of parts) {
        if (part.type === "tool-call") calls.add(part.toolCallId);
        if (part.type === "tool-result") expect(calls.has(part.toolCallId)).toBe(true);
        expect(part.type === "file" || part.type === "reasoning").toBe(false);
      }
    const all = JSON.stringify(short);
    expect(all).not.toContain("AAAA");
    const last = messages.at(-1)?.parts.at(-1);
    const end = last?.type === "text" ? last.text : last?.type === "tool-result" ? last.output : "";
    expect(all).toContain(end.slice(-Math.min(20, end.length)));
    expect(all.length).toBeLessThan(Math.max(bounds.total * 2, messages.length * (bounds.part + 400) * 3) + 4_000);
  });
  fc.assert(property, { numRuns: 500 });
});

test("shortenedText replaces the middle with a note of its length", () => {
  expect(shortenedText("abc", 3)).toBe("abc");
  expect(shortenedText(`${"a".repeat(50)}${"z".repeat(50)}`, 30)).toBe(
    `${"a".repeat(20)}\n[70 characters are left out here]\n${"z".repeat(10)}`,
  );
});
