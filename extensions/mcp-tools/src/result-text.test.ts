import { expect, test } from "bun:test";
import { resultText } from "./result-text.ts";

test("[attack:bounds-mcp-deep-result] resultText shows no content that is nested too deeply, and says so", () => {
  const textOf = (levels: number): string =>
    resultText({ content: [], structuredContent: { a: JSON.parse("[".repeat(levels) + "]".repeat(levels)) } });

  expect(textOf(60_000)).toBe("[content nested more than 128 levels deep: not shown]");
  expect(textOf(100)).toBe(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`);
});

test("resultText joins texts, and describes what is none", () => {
  const text = resultText({
    content: [
      { type: "text", text: "one" },
      { type: "image", mimeType: "image/png", data: "aGVsbG8=" },
      { type: "audio", mimeType: "audio/wav", data: "aGVsbG8h" },
      { type: "resource_link", uri: "file:///a", name: "a", description: "The a" },
      { type: "resource", resource: { uri: "file:///b", mimeType: "text/plain", text: "b's text" } },
      { type: "resource", resource: { uri: "file:///c", blob: "aGk=" } },
      { type: "text", text: "two" },
    ],
  });

  expect(text).toBe(
    [
      "one",
      "[image image/png, 5 bytes: not shown]",
      "[audio audio/wav, 6 bytes: not shown]",
      "[resource file:///a: a, The a]",
      "[resource file:///b text/plain]",
      "b's text",
      "[resource file:///c, 2 bytes: not shown]",
      "two",
    ].join("\n"),
  );
});

test("resultText gives structured content when there is no text that repeats it", () => {
  expect(resultText({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}');
  expect(resultText({ content: [{ type: "text", text: "a is 1" }], structuredContent: { a: 1 } })).toBe("a is 1");
  expect(resultText({ content: [] })).toBe("[the tool gave no content]");
});

test("[attack:bounds-mcp-padding] resultText tells a size in one pass, whatever the data is", () => {
  const sizeOf = (data: string): string =>
    resultText({ content: [{ type: "image", mimeType: "image/png", data }] });
  const padding = "=".repeat(200_000);
  const tookMs = (work: () => unknown): number => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  };
  // An expression that is bound to the end begins anew at each of them: all take it a hundred times as long as a tenth.
  const tenthMs = tookMs(() => `${padding.slice(0, 20_000)}a`.replace(/=+$/, ""));

  expect(sizeOf(`${padding}a`)).toBe("[image image/png, 150000 bytes: not shown]");
  const allMs = [1, 2, 3].map(() => tookMs(() => sizeOf(`${padding}a`)));
  expect(Math.min(...allMs)).toBeLessThan(tenthMs);
});
