import { expect, test } from "bun:test";
import { Configured, proxiesOf, secretsOfProxies, variablesOfProxies } from "@incipit/host/configuration";
import { parseConfig } from "./config/parse-config.ts";
import { coreSchema } from "./config/core-schema.ts";

const config = new Configured(
  parseConfig(
    `
    [network]
    proxy = "http://proxy.acme.dev:3128"
    no_proxy = [".acme.dev"]
    [providers.openai]
    kind = "openai"
    proxy = "env:OPENAI_PROXY"
    [providers.deepseek]
    kind = "deepseek"
    [providers.work]
    kind = "anthropic"
    base_url = "http://models.acme.dev/v1"
    proxy = "none"
    [providers.local]
    kind = "openai-compatible"
    base_url = "http://127.0.0.1:1/v1"
    proxy = "none"
    [mcp.servers.search]
    url = "https://mcp.acme.dev:8443/mcp"
    proxy = "https://other.acme.dev"
    [mcp.servers.files]
    command = "files"
    [telemetry]
    otlp_url = "https://otel.acme.dev"
    proxy = "none"
  `,
    "incipit.toml",
  ),
  coreSchema.extensions,
);

test("proxiesOf returns an extension's general proxies and those of its endpoints", () => {
  const all = { everywhere: "http://proxy.acme.dev:3128", exceptions: [".acme.dev"] };

  expect(proxiesOf(config, "provider-openai")).toEqual({
    ...all,
    endpoints: new Map([
      ["api.openai.com:443", "env:OPENAI_PROXY"],
      ["127.0.0.1:1", "none"],
    ]),
  });
  expect(proxiesOf(config, "provider-anthropic")).toEqual({
    ...all,
    endpoints: new Map([["models.acme.dev:80", "none"]]),
  });
  expect(proxiesOf(config, "mcp-tools")).toEqual({
    ...all,
    endpoints: new Map([["mcp.acme.dev:8443", "https://other.acme.dev"]]),
  });
  expect(proxiesOf(config, "telemetry-otlp")).toEqual({
    ...all,
    endpoints: new Map([["otel.acme.dev:443", "none"]]),
  });
  expect(proxiesOf(config, "acme.weather")).toEqual(all);
  expect(proxiesOf(new Configured(parseConfig("", "f"), coreSchema.extensions), "provider-openai")).toEqual({});
});

test("secretsOfProxies returns passwords of the usual variables and of configured ones", () => {
  const env = {
    https_proxy: "http://a:secret-1@p.test",
    HTTP_PROXY: "http://p.test",
    ALL_PROXY: "b:secret-2@p.test",
    OPENAI_PROXY: "http://c:secret-3@p.test",
    OTHER_PROXY: "http://d:secret-4@p.test",
  };

  expect(variablesOfProxies(config, env)).toEqual(["https_proxy", "ALL_PROXY", "OPENAI_PROXY"]);
  expect(secretsOfProxies(config, env)).toEqual([
    "secret-1",
    "a:secret-1",
    "secret-2",
    "b:secret-2",
    "secret-3",
    "c:secret-3",
  ]);
});
