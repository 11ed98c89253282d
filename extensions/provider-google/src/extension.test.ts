import { modelProvidersPoint } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

test("extension contributes one provider for each configured name, and says which key each still needs", async () => {
  await using started = await startExtension(extension, {
    config: { providers: { google: {}, gemini: { apiKeyEnv: "GEMINI_API_KEY" }, ready: { apiKeyEnv: "MY_KEY" } } },
    env: { MY_KEY: "AIza\n" },
  });

  expect(started.contributions(modelProvidersPoint).map(({ id, problem }) => [id, problem])).toEqual([
    ["google", expect.stringContaining("set GOOGLE_GENERATIVE_AI_API_KEY ")],
    ["gemini", expect.stringContaining("set GEMINI_API_KEY ")],
    ["ready", null],
  ]);
});

test("extension contributes nothing when no provider is configured", async () => {
  await using started = await startExtension(extension);

  expect(started.contributions(modelProvidersPoint)).toEqual([]);
});

test("acceptsFile is true for what Gemini takes, and for images alone of Gemma", async () => {
  await using started = await startExtension(extension, { config: { providers: { google: {} } } });
  const provider = started.contribution(modelProvidersPoint);
  const takes = (model: string, mediaType: string): boolean | undefined =>
    provider.acceptsFile?.({ model, mediaType });

  for (const mediaType of ["image/png", "image/heic", "application/pdf", "audio/mp3", "video/mp4"])
    expect(takes("gemini-2.5-flash", mediaType)).toBe(true);
  for (const mediaType of ["image/gif", "image/svg+xml", "text/html", "application/zip"])
    expect(takes("gemini-2.5-flash", mediaType)).toBe(false);
  expect([takes("gemma-3-27b-it", "image/png"), takes("gemma-3-27b-it", "application/pdf")]).toEqual([true, false]);
});
