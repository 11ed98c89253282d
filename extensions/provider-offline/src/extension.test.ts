import {
  createKernel,
  defineExtension,
  FakeClock,
  type Drivers,
  type JsonValue,
  type Kernel,
} from "@incipit/kernel";
import { modelProvidersPoint, type ModelProvider } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import provider from "./extension.ts";

function drivers(config: JsonValue): Drivers {
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  return {
    clock: new FakeClock(),
    fs: () => ({ readFile: async () => ({ kind: "absent", reason: "not-found" }) }),
    spawn: () => ({ run: async () => ({ kind: "failed", reason: "not-installed" }) }),
    net: () => ({ fetch: async () => new Response("") }),
    env: () => ({ get: () => undefined }),
    listen: () => ({ http: async ({ host, port }) => ({ host, port, close: async () => {} }) }),
    log: () => log,
    config: (extension) => (extension === provider.manifest.id ? config : {}),
  };
}

/** A kernel with the extension and one that reads what it contributed. */
async function load(
  config: JsonValue,
): Promise<{ readonly kernel: Kernel; readonly providers: () => readonly ModelProvider[] }> {
  let providers: () => readonly ModelProvider[] = () => [];
  const reader = defineExtension(
    { id: "test.reader", version: "1.0.0", api: "^1", reads: ["model-providers@1"] },
    (host) => {
      const contributions = host.contributions(modelProvidersPoint);
      providers = () => contributions.current.map(({ value }) => value);
    },
  );
  const kernel = createKernel({ graceMs: 0, drivers: drivers(config) });
  await kernel.add([{ extension: provider }, { extension: reader }]);
  return { kernel, providers: () => providers() };
}

test("extension contributes one provider for each configured name, ready without a key; by default it is offline", async () => {
  const plain = await load({});
  const named = await load({ names: ["offline", "mirror"] });

  expect(plain.providers()).toMatchObject([{ id: "offline", models: ["echo"], isClosedList: true, problem: null }]);
  expect(named.providers().map(({ id }) => id)).toEqual(["offline", "mirror"]);
});

test("extension asks for no capability, and takes its providers away when it is unloaded", async () => {
  const { kernel, providers } = await load({});

  await kernel.unload("provider-offline");

  expect(provider.manifest.capabilities).toBeUndefined();
  expect(providers()).toEqual([]);
});
