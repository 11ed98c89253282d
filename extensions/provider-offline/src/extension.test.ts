import { modelProvidersPoint } from "@incipit/service-contract";
import { startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

test("extension contributes one provider for each configured name, ready without a key; by default it is offline", async () => {
  await using plain = await startExtension(extension);
  await using named = await startExtension(extension, { config: { names: ["offline", "mirror"] } });

  expect(plain.contribution(modelProvidersPoint)).toMatchObject({
    id: "offline",
    models: ["echo"],
    isClosedList: true,
    problem: null,
  });
  expect(named.contributions(modelProvidersPoint).map(({ id }) => id)).toEqual(["offline", "mirror"]);
});

test("extension asks for no capability, and takes its providers away when it is unloaded", async () => {
  await using started = await startExtension(extension);

  await started.kernel.unload("provider-offline");

  expect(extension.manifest.capabilities).toBeUndefined();
  expect(started.contributions(modelProvidersPoint)).toEqual([]);
});
