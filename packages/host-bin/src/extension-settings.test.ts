import { expect, test } from "bun:test";
import { parseConfig } from "./config/parse-config.ts";
import { extensionGrants, extensionSettings, secretVariables } from "./extension-settings.ts";

test("extensionGrants grants what the operator wrote also in a home network, and a vendor's own endpoint only in public", () => {
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

  expect(extensionGrants(config).get("provider-openai")).toEqual({
    net: ["api.openai.com:443", "private:ollama.lan:11434", "private:models.acme.dev:443", "127.0.0.1:8080"],
    env: ["OPENAI_API_KEY", "WORK_KEY"],
  });
});

test("extensionGrants gives each vendor's extension the endpoints and keys of its own providers, and no others [granted-and-no-more]", () => {
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

  const grants = extensionGrants(config);

  expect(grants.get("provider-openai")).toEqual({
    net: ["api.openai.com:443", "api.deepseek.com:443"],
    env: ["OPENAI_API_KEY", "DEEPSEEK_API_KEY"],
  });
  expect(grants.get("provider-anthropic")).toEqual({
    net: ["api.anthropic.com:443", "127.0.0.1:8080"],
    env: ["ANTHROPIC_API_KEY", "PROXY_KEY"],
  });
  expect(grants.get("provider-google")).toEqual({
    net: ["generativelanguage.googleapis.com:443"],
    env: ["GOOGLE_GENERATIVE_AI_API_KEY"],
  });
  expect(secretVariables(config)).toEqual([
    "OPENAI_API_KEY",
    "DEEPSEEK_API_KEY",
    "ANTHROPIC_API_KEY",
    "GOOGLE_GENERATIVE_AI_API_KEY",
    "PROXY_KEY",
  ]);
});

test("extensionSettings gives each vendor's extension its own providers, with what the configuration says of their models", () => {
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

  const settings = extensionSettings({ config, databasePath: "/d", token: "t", secrets: ["s"], cwd: "/work" });

  expect(settings.get("provider-openai")).toEqual({ providers: { openai: { kind: "openai", api: "chat" } } });
  expect(settings.get("provider-anthropic")).toEqual({
    providers: {
      anthropic: {
        cacheTtl: "1h",
        contextWindow: 1_000,
        models: {
          "claude-x.5": {
            maxOutputTokens: 10,
            prices: { input: 1, output: 2.5, cacheRead: 0.1, cacheWrite: null },
          },
        },
      },
    },
  });
  expect(settings.get("provider-google")).toEqual({ providers: {} });
});

test("extensionGrants grants mcp-tools the programs, hosts and variables of its servers, and no more [granted-and-no-more]", () => {
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

  expect(extensionGrants(config).get("mcp-tools")).toEqual({
    spawn: ["npx"],
    net: ["private:mcp.acme.dev:443"],
    env: ["ACME_REGION", "ACME_TOKEN", "ACME_TEAM"],
  });
  expect(secretVariables(config)).toEqual(["ACME_REGION", "ACME_TOKEN", "ACME_TEAM"]);
  expect(extensionGrants(parseConfig("", "f")).get("mcp-tools")).toEqual({ spawn: [], net: [], env: [] });
});

test("extensionSettings gives mcp-tools each server with what the configuration says of it", () => {
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

  const settings = extensionSettings({ config, databasePath: "/d", token: "t", secrets: ["s"], cwd: "/work" }).get(
    "mcp-tools",
  );

  expect(settings).toEqual({
    cwd: "/",
    servers: {
      files: {
        kind: "stdio",
        command: "npx",
        args: ["server", "/work", "/work/docs", "$cwd-not"],
        env: [],
        approve: "ask",
        startTimeoutMs: 90_000,
        tools: { read: { approve: "allow" } },
      },
      search: { kind: "http", url: "https://mcp.acme.dev/mcp", headersEnv: {}, startTimeoutMs: 30_000, tools: {} },
      there: {
        kind: "stdio",
        command: "make",
        cwd: "/work/tools",
        args: [],
        env: [],
        startTimeoutMs: 30_000,
        tools: {},
      },
    },
  });
});

test("[attack:machine-host-of-other-port] extensionSettings lets no Host of this machine by that names another port", () => {
  const allowed = (listen: string): unknown =>
    extensionSettings({
      config: parseConfig(`[listen]\n${listen}`, "incipit.toml"),
      databasePath: "/d",
      token: "t",
      secrets: [],
      cwd: "/work",
    }).get("transport-http");

  // Those of this machine are known by the port that is open; a name that is listed is served on any.
  for (const listen of ["", 'host = "localhost"', 'host = "127.0.0.1"', 'host = "::1"'])
    expect(allowed(listen)).toMatchObject({ allowedHosts: [] });
  expect(allowed('host = "192.168.1.5"\nallowed_hosts = ["incipit.lan"]')).toMatchObject({
    allowedHosts: ["incipit.lan", "192.168.1.5"], // It bites: what an operator chose is served.
  });
});
