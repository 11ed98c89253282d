import { expect, test } from "bun:test";
import { Configured } from "@incipit/host/configuration";
import { weakSecrets } from "@incipit/host";
import { parseConfig } from "./config/parse-config.ts";
import { coreSchema } from "./config/core-schema.ts";

test("weakSecrets names key variables with weak values once each, never the value", () => {
  const config = parseConfig(
    `
      [providers.a]
      kind = "openai-compatible"
      base_url = "http://127.0.0.1:1/v1"
      api_key_env = "LOCAL_KEY"
      [providers.b]
      kind = "openai-compatible"
      base_url = "http://127.0.0.1:2/v1"
      api_key_env = "LOCAL_KEY"
      [providers.c]
      kind = "openai"
      [providers.d]
      kind = "anthropic"
      [mcp.servers.x]
      url = "https://mcp.acme.dev"
      token_env = "MCP_TOKEN"
      headers_env = { "x-team" = "MCP_TEAM" }
      [mcp.servers.y]
      command = "y"
      env = ["REGION"]
      [telemetry]
      headers_env = { authorization = "OTLP" }
    `,
    "f",
  );
  const env = {
    LOCAL_KEY: "ollama",
    OPENAI_API_KEY: "sk-proj-abc123DEF456ghi789",
    MCP_TOKEN: "test1234",
    MCP_TEAM: "development",
    REGION: "eu",
    OTLP: "k",
  };

  expect(
    weakSecrets(new Configured(config, coreSchema.extensions), env).map(
      ({ variable, why }) => `${variable}: ${why}`,
    ),
  ).toEqual([
    "LOCAL_KEY: it is shorter than 8 characters",
    "MCP_TOKEN: it is a placeholder for endpoints without a key",
    "MCP_TEAM: it is a word, or several, and shorter than 16 characters",
    "OTLP: it is shorter than 8 characters",
  ]);
});
