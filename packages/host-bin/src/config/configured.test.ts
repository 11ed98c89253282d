import { expect, test } from "bun:test";
import type { Capabilities, Extension } from "@incipit/kernel";
import { CORE_EXTENSIONS } from "../core-extensions.ts";
import { type Config, Configured } from "@incipit/host/configuration";
import { parseConfig } from "./parse-config.ts";
import { coreSchema } from "./core-schema.ts";

function extension(id: string): Extension {
  const found = CORE_EXTENSIONS.find(({ manifest }) => manifest.id === id);
  if (found === undefined) throw new Error(`There is no ${id}`);
  return found;
}

function grantOf(id: string, config: Config): Capabilities {
  return new Configured(config, coreSchema.extensions).grant(extension(id));
}

function valuesOf(id: string, config: Config): unknown {
  return new Configured(config, coreSchema.extensions).values(extension(id));
}

function secretVariables(config: Config): readonly string[] {
  return new Configured(config, coreSchema.extensions).secretVariables();
}

test("Configured.grant allows configured private addresses, but a provider's default endpoint only in public networks", () => {
  const config = parseConfig(
    `
      [providers.openai]
      kind = "openai"
      [providers.ollama]
      kind = "openai-compatible"
      base_url = "http://ollama.lan:11434/v1"
      [providers.work]
      kind = "openai-compatible"
      base_url = "https://models.acme.dev/v1"
      api_key_env = "WORK_KEY"
      [providers.here]
      kind = "openai-compatible"
      base_url = "http://127.0.0.1:8080/v1"
    `,
    "incipit.toml",
  );

  expect(grantOf("provider-openai", config)).toEqual({
    net: ["api.openai.com:443", "private:ollama.lan:11434", "private:models.acme.dev:443", "127.0.0.1:8080"],
    env: ["OPENAI_API_KEY", "WORK_KEY"],
  });
});

test("Configured.grant limits each provider extension to its own endpoints and keys [granted-and-no-more]", () => {
  const config = parseConfig(
    `
      [providers.openai]
      kind = "openai"
      [providers.deepseek]
      kind = "deepseek"
      [providers.anthropic]
      kind = "anthropic"
      [providers.gemini]
      kind = "google"
      [providers.proxy]
      kind = "anthropic"
      base_url = "http://127.0.0.1:8080/v1"
      api_key_env = "PROXY_KEY"
    `,
    "incipit.toml",
  );

  expect(grantOf("provider-openai", config)).toEqual({
    net: ["api.openai.com:443", "api.deepseek.com:443"],
    env: ["OPENAI_API_KEY", "DEEPSEEK_API_KEY"],
  });
  expect(grantOf("provider-anthropic", config)).toEqual({
    net: ["api.anthropic.com:443", "127.0.0.1:8080"],
    env: ["ANTHROPIC_API_KEY", "PROXY_KEY"],
  });
  expect(grantOf("provider-google", config)).toEqual({
    net: ["generativelanguage.googleapis.com:443"],
    env: ["GOOGLE_GENERATIVE_AI_API_KEY"],
  });
  expect(secretVariables(config).toSorted()).toEqual([
    "ANTHROPIC_API_KEY",
    "DEEPSEEK_API_KEY",
    "GOOGLE_GENERATIVE_AI_API_KEY",
    "OPENAI_API_KEY",
    "PROXY_KEY",
  ]);
});

test("Configured.values returns each provider extension's own providers with their models", () => {
  const config = parseConfig(
    `
      [providers.openai]
      kind = "openai"
      api = "chat"
      [providers.anthropic]
      kind = "anthropic"
      cache_ttl = "1h"
      context_window = 1000
      [providers.anthropic.models."claude-x.5"]
      max_output_tokens = 10
      prices = { input = 1, output = 2.5, cache_read = 0.1 }
      [providers.echo]
      kind = "offline"
    `,
    "incipit.toml",
  );

  expect(valuesOf("provider-openai", config)).toEqual({ providers: { openai: { kind: "openai", api: "chat" } } });
  expect(valuesOf("provider-anthropic", config)).toEqual({
    providers: {
      anthropic: {
        kind: "anthropic",
        cache_ttl: "1h",
        context_window: 1_000,
        models: {
          "claude-x.5": { max_output_tokens: 10, prices: { input: 1, output: 2.5, cache_read: 0.1 } },
        },
      },
    },
  });
  expect(valuesOf("provider-google", config)).toEqual({ providers: {} });
  expect(valuesOf("provider-offline", config)).toEqual({ providers: { echo: { kind: "offline" } } });
});

test("Configured.grant limits mcp-tools to its servers' programs, hosts and variables [granted-and-no-more]", () => {
  const config = parseConfig(
    `
      [mcp.servers.files]
      command = "npx"
      args = ["-y", "server"]
      env = ["ACME_REGION"]
      [mcp.servers.search]
      url = "https://mcp.acme.dev/mcp"
      token_env = "ACME_TOKEN"
      headers_env = { "x-team" = "ACME_TEAM" }
    `,
    "incipit.toml",
  );

  expect(grantOf("mcp-tools", config)).toEqual({
    spawn: ["npx"],
    net: ["private:mcp.acme.dev:443"],
    env: ["ACME_REGION", "ACME_TOKEN", "ACME_TEAM"],
    storage: { namespaces: ["sign-ins"] },
  });
  expect(secretVariables(config)).toEqual(["ACME_REGION", "ACME_TOKEN", "ACME_TEAM"]);
  expect(grantOf("mcp-tools", parseConfig("", "f"))).toEqual({
    spawn: [],
    net: [],
    env: [],
    storage: { namespaces: ["sign-ins"] },
  });
  const signedIn = 'url = "https://mcp.acme.dev/mcp"\noauth = true\noauth_server = "https://auth.acme.dev"';
  expect(grantOf("mcp-tools", parseConfig(`[mcp.servers.a]\n${signedIn}`, "f"))).toMatchObject({
    net: [expect.stringContaining("mcp.acme.dev:443"), expect.stringContaining("auth.acme.dev:443")],
  });
});

test("Configured.values returns each server's configuration for mcp-tools", () => {
  const config = parseConfig(
    `
      [mcp.servers.files]
      command = "npx"
      args = ["server", "$cwd", "$cwd/docs", "$cwd-not"]
      approve = "ask"
      start_timeout_seconds = 90
      [mcp.servers.files.tools.read]
      approve = "allow"
      [mcp.servers.search]
      url = "https://mcp.acme.dev/mcp"
      [mcp.servers.there]
      command = "make"
      cwd = "$cwd/tools"
    `,
    "incipit.toml",
  );

  const common = { start_timeout_seconds: 30, tools: {} };
  expect(valuesOf("mcp-tools", config)).toEqual({
    mcp: {
      servers: {
        files: {
          command: "npx",
          args: ["server", "$cwd", "$cwd/docs", "$cwd-not"],
          approve: "ask",
          start_timeout_seconds: 90,
          tools: { read: { approve: "allow" } },
        },
        search: { url: "https://mcp.acme.dev/mcp", ...common },
        there: { command: "make", cwd: "$cwd/tools", ...common },
      },
    },
  });
});

test("exactly the kinds in core manifests have keys in the configuration", () => {
  for (const { manifest, configuration } of CORE_EXTENSIONS) {
    const ofCode = Object.entries(configuration?.shape.kinds() ?? {}).map(([table, kinds]) => [
      table,
      Object.keys(kinds),
    ]);
    expect([manifest.id, Object.fromEntries(ofCode)]).toEqual([manifest.id, manifest.kinds ?? {}]);
  }
});

test("Configured.values returns defaults that each core extension's schema accepts", () => {
  const facts: Readonly<Record<string, unknown>> = {
    "storage-sqlite": { path: "/d" },
    "transport-http": { token: "a-token-of-32-characters-or-more!", version: "1.0.0" },
  };
  for (const one of CORE_EXTENSIONS) {
    const { id } = one.manifest;
    const values = {
      ...new Configured(parseConfig("", "f"), coreSchema.extensions).values(one),
      ...Object(facts[id]),
    };
    const taken = one.configuration?.schema["~standard"].validate(values);
    expect([id, taken]).toEqual([id, one.configuration === undefined ? undefined : { value: expect.anything() }]);
  }
});
