import {
  createKernel,
  type Capabilities,
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
  grant?: Capabilities,
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
  await kernel.add([{ extension: provider, ...(grant === undefined ? {} : { grant }) }, { extension: reader }]);
  return { kernel, providers: () => providers() };
}

test("extension contributes one provider for each configured name, and says what each still needs", async () => {
  const { providers } = await load({
    providers: {
      openai: { kind: "openai" },
      mine: { kind: "openai", apiKeyEnv: "MY_KEY" },
      deepseek: { kind: "deepseek" },
      local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" },
      nowhere: { kind: "openai-compatible" },
    },
  });

  expect(providers().map(({ id, problem }) => [id, problem])).toEqual([
    ["openai", expect.stringContaining("set OPENAI_API_KEY ")],
    ["mine", expect.stringContaining("set MY_KEY ")],
    ["deepseek", expect.stringContaining("set DEEPSEEK_API_KEY ")],
    ["local", null],
    ["nowhere", "set base_url in [providers.nowhere]"],
  ]);
});

test("extension contributes nothing when no provider is configured, and takes its providers away when it is unloaded", async () => {
  const none = await load({});
  const one = await load({ providers: { local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" } } });

  await one.kernel.unload("provider-openai");

  expect(none.providers()).toEqual([]);
  expect(one.providers()).toEqual([]);
});

test("extension does not start with a kind that it does not know, and names the setting", async () => {
  const { kernel } = await load({ providers: { x: { kind: "telepathy" } } });

  expect(kernel.list().find(({ id }) => id === "provider-openai")).toMatchObject({
    phase: "failed",
    lastError: { code: "CONFIG_INVALID" },
  });
});

test("extension refuses a call that was not granted as CAPABILITY_DENIED, in the stream and not as an exception", async () => {
  const local = { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" };
  const { providers } = await load({ providers: { local } }, {});
  const events: unknown[] = [];

  const stream = providers()[0]?.stream({
    model: "m",
    conversationId: "c",
    systemPrompt: [],
    messages: [],
    tools: [],
    signal: new AbortController().signal,
    observe: () => {},
  });
  for await (const event of stream ?? []) events.push(event);

  expect(events).toMatchObject([{ type: "failure", error: { code: "CAPABILITY_DENIED", isRetryable: false } }]);
});
