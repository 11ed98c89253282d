import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { configSchema } from "./config-schema.ts";
import { loadConfig } from "./load-config.ts";
import { parseConfig } from "./parse-config.ts";

const example = join(import.meta.dir, "../../../../config.example.toml");

function problem(text: string): string {
  try {
    parseConfig(text, "incipit.toml");
    return "it was taken";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const refused = [
  ["modle = 'x/y'", 'incipit.toml:1: unknown key "modle"; did you mean "model"?'],
  ["\n[listen]\nprot = 1", 'incipit.toml:3: unknown key "listen.prot"; did you mean "port"?'],
  ["[listen]\nport = '1'", 'incipit.toml:2: "listen.port" expected number, received string'],
  [
    "[providers.a]\nkind = 'openai'\nbase_ulr = 'x'",
    'incipit.toml:3: unknown key "providers.a.base_ulr"; did you mean "base_url"?',
  ],
  ["providers.a.kind = 'opnai'", 'incipit.toml:1: "providers.a.kind"'],
  ["[providers.a]\nkind = 'openai-compatible'", 'incipit.toml:1: "providers.a" needs "base_url"'],
  ["model = 'nobody/x'", 'incipit.toml:1: "model" is "nobody/x", and there is no [providers.nobody]'],
  ["model = ", "incipit.toml:1:"],
  ["[listen]\nhost = '0.0.0.0'", 'incipit.toml:2: "listen.host" is "0.0.0.0"'],
  ["[mcp.servers.x]\ncommand = 'npx'", 'incipit.toml:1: unknown key "mcp"'],
] as const;

for (const [text, message] of refused) {
  test(`parseConfig refuses ${JSON.stringify(text)} with file, line and key`, () => {
    expect(problem(text)).toStartWith(message);
  });
}

test("config.example.toml shows every key with its default", async () => {
  const text = await Bun.file(example).text();

  expect(parseConfig(text, example)).toEqual(configSchema.parse({}));
  for (const key of [
    "model",
    "system_prompt",
    "append_system_prompt",
    "prompt_refresh",
    "host",
    "port",
    "allowed_hosts",
    "kind",
    "base_url",
    "api_key_env",
    "read",
    "disabled",
  ]) {
    expect(text).toMatch(new RegExp(`^(# )?${key} = `, "m"));
  }
  for (const table of Object.keys(configSchema.shape))
    expect(text).toMatch(new RegExp(`^(# )?(\\[${table}|${table} = )`, "m"));
});

test("config.example.toml is valid with everything in it that is commented out", async () => {
  const text = await Bun.file(example).text();
  const uncommented = text.replaceAll(/^# (\[|[a-z_]+ = )/gm, "$1");

  expect(parseConfig(uncommented, example)).toMatchObject({
    providers: { openai: { kind: "openai" } },
    append_system_prompt: "Answer in English.",
  });
});

test("loadConfig: flags win over variables, variables over the file", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "incipit.toml"), "[listen]\nport = 1\nhost = 'localhost'");
  const env = { HOME: folder.path, INCIPIT_PORT: "2", INCIPIT_SYSTEM_PROMPT: "from a variable" };

  const { config, dataFolder } = loadConfig({ cwd: folder.path, env, flags: { port: "3" } });

  expect(config).toMatchObject({ system_prompt: "from a variable", listen: { host: "localhost", port: 3 } });
  expect(dataFolder).toBe(join(folder.path, ".local/share/incipit"));
  expect(() => loadConfig({ cwd: folder.path, env: { INCIPIT_PROT: "1" }, flags: {} })).toThrow(
    'did you mean "INCIPIT_PORT"?',
  );
});
