import type { CallToolResult } from "@modelcontextprotocol/client";
import { expect, test } from "bun:test";
import { resultAnswer } from "./result-answer.ts";

test("[attack:bounds-mcp-deep-result] resultAnswer replaces content nested too deeply with a note", () => {
  const textOf = (levels: number): string =>
    resultAnswer({ content: [], structuredContent: { a: JSON.parse("[".repeat(levels) + "]".repeat(levels)) } })
      .text;

  expect(textOf(60_000)).toBe("[content nested more than 128 levels deep: not shown]");
  expect(textOf(100)).toBe(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`);
});

test("resultAnswer joins texts and returns other content as files with a line each", () => {
  const result: CallToolResult = {
    content: [
      { type: "text", text: "one" },
      { type: "image", mimeType: "image/png", data: "aGVsbG8=" },
      { type: "audio", mimeType: "audio/wav", data: "aGVsbG8h" },
      { type: "resource_link", uri: "file:///a", name: "a", description: "The a" },
      { type: "resource", resource: { uri: "file:///b", mimeType: "text/plain", text: "b's text" } },
      { type: "resource", resource: { uri: "file:///c", blob: "aGk=" } },
      { type: "text", text: "two" },
    ],
  };

  expect(resultAnswer(result).files).toEqual([
    { mediaType: "image/png", data: "aGVsbG8=" },
    { mediaType: "audio/wav", data: "aGVsbG8h" },
    { mediaType: "application/octet-stream", data: "aGk=" },
  ]);
  const failure = resultAnswer({ ...result, isError: true });
  expect(failure.files).toEqual([]);
  expect(failure.text).toContain("[image image/png, 5 bytes: not shown]");
  expect(resultAnswer(result).text).toBe(
    [
      "one",
      "[image image/png, 5 bytes]",
      "[audio audio/wav, 6 bytes]",
      "[resource file:///a: a, The a]",
      "[resource file:///b text/plain]",
      "b's text",
      "[resource file:///c, 2 bytes]",
      "two",
    ].join("\n"),
  );
});

test("resultAnswer includes structured content unless a text repeats it", () => {
  expect(resultAnswer({ content: [], structuredContent: { a: 1 } }).text).toBe('{"a":1}');
  expect(resultAnswer({ content: [{ type: "text", text: "a is 1" }], structuredContent: { a: 1 } }).text).toBe(
    "a is 1",
  );
  expect(resultAnswer({ content: [] }).text).toBe("[the tool gave no content]");
  expect(resultAnswer({ content: [{ type: "text", text: "" }] }).text).toBe("[the tool gave no content]");
});

test("[attack:bounds-mcp-padding] resultAnswer measures data in one pass", () => {
  const sizeOf = (data: string): string =>
    resultAnswer({ content: [{ type: "image", mimeType: "image/png", data }] }).text;
  const padding = "=".repeat(200_000);
  const tookMs = (work: () => unknown): number => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  };
  // Control: an expression anchored at the end restarts at each character, so the whole takes a hundred times as
  // long as a tenth.
  const tenthMs = tookMs(() => `${padding.slice(0, 20_000)}a`.replace(/=+$/, ""));

  expect(sizeOf(`${padding}a`)).toBe("[image image/png, 150000 bytes]");
  const allMs = [1, 2, 3].map(() => tookMs(() => sizeOf(`${padding}a`)));
  expect(Math.min(...allMs)).toBeLessThan(tenthMs);
});
