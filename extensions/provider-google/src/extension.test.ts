import { modelProvidersPoint } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

test("extension registers a provider per configured name and reports missing keys", async () => {
  await using started = await startExtension(extension, {
    config: {
      providers: {
        google: { kind: "google" },
        gemini: { kind: "google", api_key_env: "GEMINI_API_KEY" },
        ready: { kind: "google", api_key_env: "MY_KEY" },
      },
    },
    env: { MY_KEY: "AIza\n" },
  });

  expect(started.contributions(modelProvidersPoint).map(({ id, problem }) => [id, problem])).toEqual([
    ["google", expect.stringContaining("set GOOGLE_GENERATIVE_AI_API_KEY ")],
    ["gemini", expect.stringContaining("set GEMINI_API_KEY ")],
    ["ready", null],
  ]);
});

test("extension registers nothing when no provider is configured", async () => {
  await using started = await startExtension(extension);

  expect(started.contributions(modelProvidersPoint)).toEqual([]);
});

test("acceptsFile accepts Gemini's file types, and only images for Gemma", async () => {
  await using started = await startExtension(extension, { config: { providers: { google: { kind: "google" } } } });
  const provider = started.contribution(modelProvidersPoint);
  const takes = (model: string, mediaType: string): boolean | undefined =>
    provider.acceptsFile?.({ model, mediaType });

  for (const mediaType of ["image/png", "image/heic", "application/pdf", "audio/mp3", "video/mp4"])
    expect([takes("gemini-2.5-flash", mediaType), takes("gemini-9-next", mediaType)]).toEqual([true, true]);
  for (const mediaType of ["image/gif", "image/svg+xml", "text/html", "application/zip"])
    expect(takes("gemini-2.5-flash", mediaType)).toBe(false);
  expect(takes("gemini-2.5-computer-use-preview-10-2025", "application/pdf")).toBe(false);
  expect([takes("gemma-3-27b-it", "image/png"), takes("gemma-3-27b-it", "application/pdf")]).toEqual([true, false]);
});

test("facts come from the catalogue, whose models are listed", async () => {
  await using started = await startExtension(extension, { config: { providers: { google: { kind: "google" } } } });
  const provider = started.contribution(modelProvidersPoint);

  expect(provider.models).toContain("gemini-2.5-flash");
  expect(await provider.facts?.("gemini-2.5-flash")).toMatchObject({ contextWindow: 1_048_576 });
  expect(await provider.contextWindow?.("gemini-9-next")).toBeUndefined();
});
