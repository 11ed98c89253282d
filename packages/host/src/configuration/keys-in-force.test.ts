import { defineConfiguration, defineExtension } from "@incipit/kernel";
import { expect, test } from "bun:test";
import * as z from "zod";
import { ConfigSchema } from "./config-schema.ts";
import { keysInForce } from "./keys-in-force.ts";
import { parseConfig } from "./parse-config.ts";

const configuration = defineConfiguration({
  settings: () => ({
    city: z.string().default("Turin"),
    api_key: z.string().default(""),
    api_key_env: z.string().default("ACME_KEY"),
    account: z.object({ passwords: z.array(z.string()), max_tokens: z.int() }).optional(),
  }),
});
const weather = defineExtension({ id: "acme.weather", version: "1.0.0", api: "^1" }, { configuration }, () => {});

test("keysInForce hides values of secret keys and shows the names of their variables", () => {
  const schema = new ConfigSchema([weather]);
  const text = `model = "acme/large"
[providers.acme]
kind = "extension"
[extensions.settings."acme.weather"]
api_key = "plain"
account = { passwords = ["one", "two"], max_tokens = 7 }`;
  const config = parseConfig(text, "file", { schema });

  const keys = keysInForce({ config, schema, redact: (given) => given.replace("Turin", "Rome") });

  const values = Object.fromEntries(keys.map(({ path, value, isRedacted }) => [path.at(-1), [value, isRedacted]]));
  expect(values).toMatchObject({
    api_key: ["(not shown)", true],
    api_key_env: ["ACME_KEY", false],
    city: ["Rome", true],
    passwords: [["(not shown)", "(not shown)"], true],
    max_tokens: [7, false],
  });
  expect(JSON.stringify(keys)).not.toContain("plain");
});
