import { modelProvidersPoint } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

test('extension registers a ready provider per configured name, "offline" by default', async () => {
  await using plain = await startExtension(extension);
  await using named = await startExtension(extension, { config: { providers: { mirror: { kind: "offline" } } } });

  expect(plain.contribution(modelProvidersPoint)).toMatchObject({
    id: "offline",
    models: ["echo"],
    isClosedList: true,
    problem: null,
  });
  expect(named.contributions(modelProvidersPoint).map(({ id }) => id)).toEqual(["offline", "mirror"]);
});

test("extension reports its model as free and unlimited", async () => {
  await using started = await startExtension(extension);

  const facts = await started.contribution(modelProvidersPoint).facts?.("echo");

  expect(facts).toMatchObject({ contextWindow: null, prices: { input: 0, output: 0 }, source: "the host" });
  expect(facts?.inputs).toContain("video");
});

test("extension requests no capability and removes its providers on unload", async () => {
  await using started = await startExtension(extension);

  await started.kernel.unload("provider-offline");

  expect(extension.manifest.capabilities).toBeUndefined();
  expect(started.contributions(modelProvidersPoint)).toEqual([]);
});
