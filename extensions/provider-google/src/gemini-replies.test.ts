import { expect, test } from "bun:test";
import { GeminiReplies } from "./gemini-replies.ts";

function said(text: string, finishReason?: string): object {
  const reason = finishReason === undefined ? {} : { finishReason };
  return { candidates: [{ content: { role: "model", parts: [{ text }] }, ...reason }] };
}

function progressAfter(...events: readonly object[]): string {
  const replies = new GeminiReplies();
  for (const event of events) replies.take(event);
  return replies.progress;
}

test("GeminiReplies.progress is whole once a reply ends with a reason", () => {
  expect(progressAfter(said("Hel"))).toBe("open");
  expect(progressAfter(said("Hel"), said("lo", "STOP"))).toBe("whole");
  expect(progressAfter(said("Hello", "STOP"), said(""), { usageMetadata: { totalTokenCount: 1 } })).toBe("whole");
});

test("GeminiReplies.progress stays open for a model that sends a reason with each event", () => {
  expect(progressAfter(said("Hel", "STOP"), said("lo", "STOP"))).toBe("open");
  expect(progressAfter({ candidates: [{ finishReason: "STOP" }] })).toBe("open");
});
