import { modelProvidersPoint, type ModelProvider } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

async function providerOf(endpoint: Readonly<Record<string, string | number>>): Promise<ModelProvider> {
  const started = await startExtension(extension, {
    config: { providers: { p: { api_key_env: "K", ...endpoint } } },
  });
  return started.contribution(modelProvidersPoint);
}

test("facts and context window come from the catalogue, and the configuration wins", async () => {
  const openai = await providerOf({ kind: "openai" });
  const narrowed = await providerOf({ kind: "openai", context_window: 1_000 });

  expect(await openai.facts?.("gpt-5.2")).toMatchObject({ contextWindow: 400_000, prices: { input: 1.75 } });
  expect(await openai.contextWindow?.("gpt-5.2")).toBe(400_000);
  expect(await openai.contextWindow?.("gpt-99")).toBeUndefined();
  expect(openai.models).toContain("gpt-5.2");
  expect(await narrowed.contextWindow?.("gpt-5.2")).toBe(1_000);
  expect(await narrowed.facts?.("gpt-5.2")).toMatchObject({ contextWindow: 1_000, prices: { input: 1.75 } });
});

test("facts of a compatible endpoint ignore the catalogue, since names may differ in meaning", async () => {
  const compatible = await providerOf({ kind: "openai-compatible", base_url: "http://127.0.0.1:1/v1" });

  expect(await compatible.facts?.("gpt-5.2")).toBeUndefined();
  expect(await compatible.contextWindow?.("gpt-5.2")).toBeUndefined();
  expect(compatible.models).toEqual([]);
});

const files = [
  ["openai", "gpt-5.2", "image/png", true],
  ["openai", "gpt-5.2", "image/tiff", false],
  ["openai", "gpt-5.2", "application/pdf", true],
  ["openai", "gpt-4-turbo", "application/pdf", false],
  ["openai", "gpt-4", "image/png", false],
  ["openai", "unheard-of", "application/pdf", true],
  ["deepseek", "deepseek-flash", "image/png", true],
  ["deepseek", "deepseek-v4-pro", "image/png", false],
  ["deepseek", "deepseek-vision-9", "image/png", true],
  ["openai-compatible", "gpt-4", "image/png", true],
] as const;

for (const [kind, model, mediaType, isAccepted] of files) {
  test(`acceptsFile: ${model} of ${kind} ${isAccepted ? "takes" : "does not take"} ${mediaType}`, async () => {
    const provider = await providerOf({ kind, base_url: "http://127.0.0.1:1/v1" });

    expect(provider.acceptsFile?.({ model, mediaType })).toBe(isAccepted);
  });
}
