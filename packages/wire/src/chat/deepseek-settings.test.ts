import type { ModelSettings } from "@incipit/schema";
import { expect, test } from "bun:test";
import { deepseekJsonText, deepseekSettings } from "./chat-settings.ts";

function written(model: string, settings: ModelSettings): unknown {
  const request = { model, conversationId: "c", systemPrompt: [], messages: [], tools: [], settings };
  return JSON.parse(JSON.stringify(deepseekSettings(request)));
}

test("deepseekSettings omits sampling for a thinking model, and seed and penalties for all", () => {
  const settings = { temperature: 0.5, topP: 0.9, seed: 1, frequencyPenalty: 0.1, maxOutputTokens: 10 };

  expect(written("deepseek-v4-pro", settings)).toEqual({ max_tokens: 10 });
  expect(written("deepseek-chat", settings)).toEqual({ max_tokens: 10, temperature: 0.5, top_p: 0.9 });
  expect(written("deepseek-v4-pro", { ...settings, reasoningEffort: "none" })).toEqual({
    max_tokens: 10,
    temperature: 0.5,
    top_p: 0.9,
    thinking: { type: "disabled" },
  });
});

test.each([
  ["minimal", "low"],
  ["medium", "high"],
  ["xhigh", "max"],
] as const)("deepseekSettings maps the effort %s to %s", (reasoningEffort, effort) => {
  expect(written("deepseek-v4-pro", { reasoningEffort })).toEqual({
    thinking: { type: "enabled" },
    reasoning_effort: effort,
  });
});

test("deepseekSettings requests a JSON object, and deepseekJsonText its schema", () => {
  const schema = { type: "object" };

  expect(written("deepseek-v4-pro", { responseFormat: { type: "json", schema } })).toEqual({
    response_format: { type: "json_object" },
  });
  expect(deepseekJsonText({ settings: { responseFormat: { type: "json", schema } } })).toContain(
    '{"type":"object"}',
  );
  expect(deepseekJsonText({ settings: { responseFormat: { type: "json" } } })).toBe("Return JSON.");
  expect(deepseekJsonText({})).toBeUndefined();
});
