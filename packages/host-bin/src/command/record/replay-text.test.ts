import { replaySchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { replayText } from "./record.ts";

const id = "01a1fcd7-5c9a-7556-afda-76769002c75c";
const usage = { inputTokens: 9, outputTokens: 4, cacheReadTokens: null, cacheWriteTokens: null };
const then = {
  model: "local/test",
  parts: [{ type: "text", text: "Before." }],
  usage,
  finishReason: "stop",
  error: null,
  durationMs: 1_500,
  costUsd: 0.25,
};
const kept = { id, conversationId: id, stepId: id, createdAt: "2026-01-01T00:00:00.000Z", callId: null };

test("replayText prints two answers side by side, then their texts", () => {
  const now = {
    ...then,
    parts: [],
    usage: null,
    finishReason: null,
    durationMs: null,
    costUsd: null,
    error: { code: "PROVIDER", message: "It is busy" },
  };
  const notes = ["It has no tools"];

  expect(replayText(replaySchema.parse({ ...kept, original: then, replay: now, notes }))).toBe(
    [
      "            local/test (then)  local/test (now)",
      "time        1.50 s             -",
      "tokens in   9                  not reported",
      "tokens out  4                  not reported",
      "cost        $0.250000          not known",
      "ended       stop               PROVIDER",
      "",
      "--- local/test (then)",
      "Before.",
      "",
      "--- local/test (now)",
      "(It is busy)",
      "",
      "",
      "(It has no tools)",
      "",
    ].join("\n"),
  );
});

test("replayText prints the original until a replay exists", () => {
  const original = { ...then, finishReason: null };

  const text = replayText(replaySchema.parse({ ...kept, original, replay: null, notes: [] }));

  expect(text).toMatch(/^ +local\/test \(then\)\n[^]*ended +-\n\n--- local\/test \(then\)\nBefore\.\n$/);
});
