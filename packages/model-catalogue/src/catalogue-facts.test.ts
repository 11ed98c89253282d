import { modelFactsSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { catalogueFacts, catalogueModels } from "./catalogue-facts.ts";
import catalogue from "./catalogue.json";

const listed = Object.values(catalogue.vendors).flatMap((models) =>
  Object.entries(models).map(([name, entry]) => ({
    name,
    ...modelFactsSchema.parse({ ...entry, source: "test" }),
  })),
);

test("catalogueFacts returns context window, limit, prices and inputs with their source", () => {
  expect(catalogueFacts("openai", "gpt-5.2")).toEqual({
    contextWindow: 400_000,
    maxOutputTokens: 128_000,
    inputs: ["text", "image", "pdf"],
    reasoningEfforts: ["none", "low", "medium", "high", "xhigh"],
    prices: { input: 1.75, output: 14, cacheRead: 0.175, cacheWrite: null },
    source: expect.stringMatching(/^catalogue of \d{4}-\d{2}-\d{2}$/),
  });
  expect(catalogueFacts("anthropic", "claude-opus-4-5")?.prices).toEqual({
    input: 5,
    output: 25,
    cacheRead: 0.5,
    cacheWrite: 6.25,
  });
});

const same = [
  ["openai", "gpt-5.2-2025-12-11", "gpt-5.2"],
  ["openai", "gpt-5.2-latest", "gpt-5.2"],
  ["anthropic", "claude-opus-4-6-20260205", "claude-opus-4-6"],
  ["google", "models/gemini-2.5-pro", "gemini-2.5-pro"],
] as const;

for (const [vendor, name, known] of same) {
  test(`catalogueFacts resolves "${name}" to "${known}"`, () => {
    expect(catalogueFacts(vendor, name)).toBeDefined();
    expect(catalogueFacts(vendor, name)).toEqual(catalogueFacts(vendor, known));
  });
}

test("catalogueFacts returns a listed snapshot's own prices", () => {
  expect(catalogueFacts("openai", "gpt-4o-2024-05-13")?.prices?.input).toBe(5);
  expect(catalogueFacts("openai", "gpt-4o")?.prices?.input).toBe(2.5);
});

const unknown = [
  "gpt-5.22",
  "gpt-5.2-turbo",
  "gpt-5.2-20",
  "my-gpt-5.2",
  "GPT-5.2",
  "claude-opus-4-5",
  "",
  "constructor",
  "__proto__",
];

for (const name of unknown) {
  test(`catalogueFacts does not resolve "${name}" of OpenAI to a similar name`, () => {
    expect(catalogueFacts("openai", name)).toBeUndefined();
  });
}

test("catalogueModels returns sorted, known names without snapshots", () => {
  for (const vendor of ["anthropic", "deepseek", "google", "openai"] as const) {
    const names = catalogueModels(vendor);
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual(names.toSorted());
    for (const name of names) expect(catalogueFacts(vendor, name)).toBeDefined();
  }
  expect(catalogueModels("openai")).not.toContain("gpt-4o-2024-05-13");
});

test("catalogue: every Anthropic model accepts images and PDF, as its provider assumes", () => {
  const inputs = catalogueModels("anthropic").map((name) => catalogueFacts("anthropic", name)?.inputs);

  expect(new Set(inputs.map(String))).toEqual(new Set(["text,image,pdf"]));
});

test("catalogue: every entry is valid, with plausible windows and prices", () => {
  expect(listed.length).toBeGreaterThan(50);
  for (const { name, contextWindow, maxOutputTokens, inputs, prices } of listed) {
    expect(inputs[0], name).toBe("text");
    expect(contextWindow, name).toBeGreaterThanOrEqual(maxOutputTokens ?? 1);
    if (prices === null) continue;
    expect(prices.output, name).toBeGreaterThan(0);
    expect(prices.cacheRead ?? 0, name).toBeLessThan(prices.input);
    if (prices.longInput === undefined) continue;
    expect(prices.longInput.input, name).toBeGreaterThan(prices.input);
    // A window never ends where the price of long input begins.
    expect(contextWindow, name).toBeGreaterThan(prices.longInput.aboveTokens);
  }
});
