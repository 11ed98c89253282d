import type { ModelSettings } from "@incipit/schema";
import { expect, test } from "bun:test";
import { modelSettingsSchema } from "./replay-step.ts";

const all: Required<ModelSettings> = {
  temperature: 0.5,
  topP: 0.9,
  presencePenalty: 1,
  frequencyPenalty: -1,
  seed: 7,
  stopSequences: ["END"],
  maxOutputTokens: 100,
  reasoningEffort: "high",
  toolChoice: { name: "find" },
  parallelToolCalls: false,
  responseFormat: { type: "json", name: "x", schema: { type: "object" }, isStrict: true },
  vendorFields: { top_k: 40, chat_template_kwargs: { enable_thinking: false } },
};

test("modelSettingsSchema preserves every setting, as replays require", () => {
  expect(modelSettingsSchema.parse(JSON.parse(JSON.stringify(all)))).toEqual(all);
  for (const toolChoice of ["auto", "none", "required", { mode: "auto", allowed: ["find"] }] as const)
    expect(modelSettingsSchema.parse({ toolChoice })).toEqual({ toolChoice });
  expect(modelSettingsSchema.parse({})).toEqual({});
});

test("modelSettingsSchema rejects an unknown tool choice", () => {
  for (const toolChoice of ["some", {}, { name: 1 }, null])
    expect(modelSettingsSchema.safeParse({ toolChoice }).success).toBe(false);
});
