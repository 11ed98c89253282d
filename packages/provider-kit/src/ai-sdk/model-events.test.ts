import { expect, test } from "bun:test";
import { ModelEvents } from "./model-events.ts";

const unreported = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

test("ModelEvents.of emits an empty part with metadata, and all metadata with its end", () => {
  const events = new ModelEvents({ toUsage: () => unreported });
  const parts = [
    { type: "reasoning-start", id: "r", providerMetadata: { v: { id: "1", encrypted: null } } },
    { type: "reasoning-delta", id: "r", delta: "", providerMetadata: { v: { signature: "s\u0000" } } },
    { type: "reasoning-end", id: "r", providerMetadata: { v: { encrypted: "e" }, w: {} } },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "a" },
    { type: "text-end", id: "t", providerMetadata: { v: { x: [1, { y: "é" }] } } },
    { type: "text-start", id: "u", providerMetadata: { v: {} } },
    { type: "text-end", id: "u" },
  ] as const;

  expect(parts.flatMap((part) => events.of(part))).toEqual([
    { type: "reasoning-start", partId: "r" },
    { type: "reasoning-end", partId: "r", metadata: { v: { id: "1", encrypted: "e", signature: "s\u0000" } } },
    { type: "text-start", partId: "t" },
    { type: "text-delta", partId: "t", text: "a" },
    { type: "text-end", partId: "t", metadata: { v: { x: [1, { y: "é" }] } } },
  ]);
});

test("hasShown is false until the answer has output other than the start of a call", () => {
  const events = new ModelEvents({ toUsage: () => unreported });
  const shown = (
    [
      { type: "raw", rawValue: {} },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "" },
      { type: "tool-input-start", id: "1", toolName: "a" },
      { type: "tool-input-delta", id: "1", delta: "{" },
      { type: "text-delta", id: "t", delta: "a" },
    ] as const
  ).map((part) => {
    events.of(part);
    return events.hasShown;
  });

  expect(shown).toEqual([false, false, false, false, false, true]);
});

test("ModelEvents.of emits calls last, with their original position if the vendor requires it", () => {
  const usage = {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  };
  const parts = [
    { type: "tool-call", toolCallId: "1", toolName: "a", input: "{}" },
    { type: "text-start", id: "t" },
    { type: "text-delta", id: "t", delta: "a" },
    { type: "text-end", id: "t" },
    { type: "text-start", id: "empty" },
    { type: "text-end", id: "empty" },
    { type: "tool-call", toolCallId: "2", toolName: "a", input: "{}", providerMetadata: { v: { x: 1 } } },
    { type: "text-start", id: "u" },
    { type: "text-delta", id: "u", delta: "b" },
    { type: "text-end", id: "u" },
    { type: "tool-call", toolCallId: "3", toolName: "a", input: "{}" },
    {
      type: "finish",
      usage,
      finishReason: { unified: "tool-calls", raw: "x" },
    },
  ] as const;
  const callsOf = (keepsCallOrder: boolean): readonly unknown[] => {
    const events = new ModelEvents({ toUsage: () => unreported, keepsCallOrder });
    return parts.flatMap((part) => events.of(part)).filter(({ type }) => type === "tool-call");
  };
  const call = { type: "tool-call", name: "a", input: "{}" };

  expect(callsOf(true)).toEqual([
    { ...call, toolCallId: "1", metadata: { incipit: { behind: 0 } } },
    { ...call, toolCallId: "2", metadata: { v: { x: 1 }, incipit: { behind: 1 } } },
    { ...call, toolCallId: "3" },
  ]);
  expect(callsOf(false)).toEqual([
    { ...call, toolCallId: "1" },
    { ...call, toolCallId: "2", metadata: { v: { x: 1 } } },
    { ...call, toolCallId: "3" },
  ]);
});

test("ModelEvents.of repairs parts without start or end, duplicate ids and invalid counts", () => {
  const usage = {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  };
  const counts = { inputTokens: 0.5, outputTokens: -1, cacheReadTokens: 1e300, cacheWriteTokens: 3 };
  const events = new ModelEvents({ toUsage: () => counts });
  const parts = [
    { type: "text-delta", id: "0", delta: "a" },
    { type: "text-end", id: "0" },
    { type: "text-end", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "b" },
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "c", providerMetadata: { v: { signature: "s" } } },
    { type: "finish", usage, finishReason: { unified: "stop", raw: "x" } },
  ] as const;

  expect(parts.flatMap((part) => events.of(part))).toEqual([
    { type: "text-start", partId: "0" },
    { type: "text-delta", partId: "0", text: "a" },
    { type: "text-end", partId: "0" },
    { type: "reasoning-start", partId: "0-3" },
    { type: "reasoning-delta", partId: "0-3", text: "b" },
    { type: "text-start", partId: "0-4" },
    { type: "text-delta", partId: "0-4", text: "c" },
    { type: "reasoning-end", partId: "0-3" },
    { type: "text-end", partId: "0-4", metadata: { v: { signature: "s" } } },
    {
      type: "finish",
      usage: { ...counts, inputTokens: null, outputTokens: null, cacheReadTokens: null },
      finishReason: "stop",
    },
  ]);
});
