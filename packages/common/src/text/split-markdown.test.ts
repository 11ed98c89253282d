import { expect, test } from "bun:test";
import fc from "fast-check";
import { splitMarkdown } from "./split-markdown.ts";

const pieces = fc.array(
  fc.constantFrom("a", "bcd ", "🎉", "\n", "\n\n", " ", "\n```\n", "\n```ts\n", "> ", "x".repeat(70)),
  {
    maxLength: 60,
  },
);

test("splitMarkdown returns parts that fit, close their fences and keep all text", () => {
  const property = fc.property(pieces, fc.integer({ min: 40, max: 120 }), (given, max) => {
    const markdown = given.join("");
    const parts = splitMarkdown(markdown, { max });
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(max);
    expect(said(parts.join("\n"))).toBe(said(markdown));
  });
  fc.assert(property, { numRuns: 300 });
});

test("splitMarkdown splits parts further that are too long once formatted", () => {
  const parts = splitMarkdown("one two three four", { max: 20, lengthOf: (part) => part.length * 2 });

  expect(parts).toEqual(["one two", "three", "four"]);
});

function said(text: string): string {
  return text.replaceAll(/```(ts)?/g, "").replaceAll(/\s/g, "");
}
