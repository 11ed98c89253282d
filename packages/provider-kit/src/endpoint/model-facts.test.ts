import type { ModelFacts } from "@incipit/schema";
import { expect, test } from "bun:test";
import { modelFacts } from "./endpoint-provider.ts";

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const known: ModelFacts = {
  contextWindow: 200_000,
  maxOutputTokens: 64_000,
  prices,
  inputs: ["text", "pdf"],
  source: "a catalogue of 2026-11-20",
};
const vendor = {
  facts: async (model: string) => (model === "known" ? known : undefined),
  acceptsFile: ({ mediaType }: { readonly mediaType: string }) => mediaType === "image/png",
};

test("modelFacts returns the catalogue's facts without configuration, and undefined for an unknown model", async () => {
  expect(await modelFacts({ model: "known", endpoint: {}, vendor })).toEqual(known);
  expect(await modelFacts({ model: "other", endpoint: {}, vendor })).toBeUndefined();
  const endpoint = { models: { known: { extraBody: { top_k: 5 } } } };
  expect(await modelFacts({ model: "known", endpoint, vendor })).toEqual(known);
});

test("modelFacts prefers the model's entry, then the endpoint's context window, then the catalogue", async () => {
  const endpoint = { contextWindow: 1_000, models: { known: { contextWindow: 2_000, maxOutputTokens: 5 } } };

  const { contextWindow } = endpoint;

  expect(await modelFacts({ model: "known", endpoint, vendor })).toEqual({
    ...known,
    contextWindow: 2_000,
    maxOutputTokens: 5,
    source: "the configuration, and a catalogue of 2026-11-20",
  });
  expect(await modelFacts({ model: "known", endpoint: { contextWindow }, vendor })).toMatchObject({
    contextWindow: 1_000,
    maxOutputTokens: 64_000,
    prices,
  });
});

test("modelFacts of a configured model includes file types, and null for unknown values", async () => {
  const endpoint = { models: { other: { maxOutputTokens: 7 } } };

  expect(await modelFacts({ model: "other", endpoint, vendor })).toEqual({
    contextWindow: null,
    maxOutputTokens: 7,
    prices: null,
    inputs: ["text", "image"],
    source: "the configuration",
  });
});
