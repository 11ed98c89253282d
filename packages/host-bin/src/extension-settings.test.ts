import { expect, test } from "bun:test";
import { parseConfig } from "./config/parse-config.ts";
import { extensionGrants } from "./extension-settings.ts";

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
