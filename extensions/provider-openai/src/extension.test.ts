import { modelProvidersPoint } from "@incipit/service-contract";
import { modelRequest, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";

const local = { kind: "openai-compatible", base_url: "http://127.0.0.1:1/v1" };

test("extension registers a provider per configured name and reports missing settings", async () => {
  await using started = await startExtension(extension, {
    config: {
      providers: {
        openai: { kind: "openai" },
        mine: { kind: "openai", api_key_env: "MY_KEY" },
        deepseek: { kind: "deepseek" },
        local,
        nowhere: { kind: "openai-compatible" },
      },
    },
  });

  expect(started.contributions(modelProvidersPoint).map(({ id, problem }) => [id, problem])).toEqual([
    ["openai", expect.stringContaining("set OPENAI_API_KEY ")],
    ["mine", expect.stringContaining("set MY_KEY ")],
    ["deepseek", expect.stringContaining("set DEEPSEEK_API_KEY ")],
    ["local", null],
    ["nowhere", "set base_url in [providers.nowhere]"],
  ]);
});

test("extension lets OpenAI add found tools by default, and others as configured", async () => {
  const base_url = "https://gateway.acme.dev/v1";
  await using started = await startExtension(extension, {
    config: {
      providers: {
        own: { kind: "openai" },
        gateway: { kind: "openai", base_url },
        said: { kind: "openai", base_url, tool_search: "vendor" },
        off: { kind: "openai", tool_search: "host" },
        chat: { kind: "openai", api: "chat" },
        compatible: { kind: "openai-compatible", base_url },
      },
    },
  });

  const ways = started
    .contributions(modelProvidersPoint)
    .map((provider) => [
      provider.id,
      ...["gpt-5.4", "gpt-5.2"].map((model) => provider.takesLookedUpTools?.({ model })),
    ]);

  expect(ways).toEqual([
    ["own", "with-results", undefined],
    ["gateway", undefined, undefined],
    ["said", "with-results", "with-results"],
    ["off", undefined, undefined],
    ["chat", undefined, undefined],
    ["compatible", undefined, undefined],
  ]);
});

test("extension registers nothing when unconfigured and removes its providers on unload", async () => {
  await using none = await startExtension(extension);
  await using one = await startExtension(extension, { config: { providers: { local } } });
  expect(one.contributions(modelProvidersPoint)).toHaveLength(1);

  await one.kernel.unload("provider-openai");

  expect(none.contributions(modelProvidersPoint)).toEqual([]);
  expect(one.contributions(modelProvidersPoint)).toEqual([]);
});

test("extension rejects an unknown kind and names the setting", async () => {
  const config = { providers: { x: { kind: "telepathy" } } };

  const failure = await startExtension(extension, { config }).catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining("providers.x.kind") });
});

const notTaken: readonly (readonly [string, object, string])[] = [
  ["extra_body.messages", { extra_body: { messages: [] } }, "is written by the host"],
  ["models.m.extra_body.stream", { models: { m: { extra_body: { stream: false } } } }, "is written by the host"],
  ["extra_headers.X-Api-Key", { extra_headers: { "X-Api-Key": "sk-1" } }, "extra_headers_env"],
  ["extra_headers.Authorization", { extra_headers: { Authorization: "Bearer 1" } }, "extra_headers_env"],
  ["extra_headers.Content-Length", { extra_headers: { "Content-Length": "1" } }, "is written by the host"],
  ["extra_headers.X-Title", { extra_headers: { "X-Title": "a\r\nb: c" } }, "printable ASCII"],
  ["extra_headers_env.X-Key", { extra_headers_env: { "X-Key": "sk-proj-1" } }, "name of a variable"],
];
for (const [field, keys, words] of notTaken) {
  test(`extension rejects an unsendable ${field} without repeating its value`, async () => {
    const config = { providers: { x: { ...local, ...keys } } };

    const failure = String(await startExtension(extension, { config }).catch((error: unknown) => error));

    expect(failure).toContain(`providers.x.${field}`);
    expect(failure).toContain(words);
    expect(failure).not.toContain("sk-");
  });
}

test("extension reports an unset variable of a header as missing", async () => {
  const written = { ...local, extra_headers_env: { "X-Gateway-Token": "GATEWAY" } };
  await using started = await startExtension(extension, { config: { providers: { local: written } } });

  expect(started.contribution(modelProvidersPoint).problem).toContain("set GATEWAY ");
});

test("extension reports an ungranted call as CAPABILITY_DENIED in the stream", async () => {
  await using started = await startExtension(extension, { config: { providers: { local } }, grant: {} });

  const events = await Array.fromAsync(started.contribution(modelProvidersPoint).stream(modelRequest()));

  expect(events).toMatchObject([{ type: "failure", error: { code: "CAPABILITY_DENIED", isRetryable: false } }]);
});
