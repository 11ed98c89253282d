import { expect, test } from "bun:test";
import { ModelEvents } from "./model-events.ts";

const unreported = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };

test("of gives a part without text when the vendor wants something back with it, and with its end all that was said of it", () => {
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
