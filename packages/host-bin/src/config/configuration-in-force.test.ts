import { routes } from "@incipit/transport-contract";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createHost, type RunningHost } from "../create-host.ts";
import { createClient, type ConfiguredKeyInfo } from "@incipit/transport-contract";
import { loadConfig } from "./load-config.ts";

const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";

const text = `model = "work/large"
[listen]
port = 0
[records]
keep_days = 7
[providers.work]
kind = "openai-compatible"
base_url = "https://models.acme.dev/v1?key=planted-key-value"
api_key_env = "WORK_KEY"
[providers.work.models.large]
context_window = 1000
[mcp.servers.files]
command = "files-server"
args = ["--token", "${secret}"]
`;

interface Asked {
  readonly keys: ReadonlyMap<string, ConfiguredKeyInfo>;
  readonly raw: string;
}

async function keysOf(host: RunningHost): Promise<Asked> {
  const client = createClient({ url: host.url, token: host.token });
  const { keys } = await client.call(routes.getConfiguration);
  return { keys: new Map(keys.map((key) => [key.path.join("."), key])), raw: JSON.stringify(keys) };
}

async function ask(
  options: { readonly env?: Record<string, string>; readonly file?: string } = {},
): Promise<Asked & { readonly file: string }> {
  await using folder = await createTempFolder();
  const file = join(folder.path, "incipit.toml");
  await Bun.write(file, options.file ?? text);
  const env = { HOME: folder.path, WORK_KEY: "planted-value", ...options.env };
  const dataFolder = join(folder.path, "data");
  const loaded = loadConfig({
    cwd: folder.path,
    env,
    flags: { config: file, data: dataFolder, model: "offline/echo" },
  });
  const config = loaded.config();
  await using host = await createHost({ config, dataFolder, cwd: folder.path, env, writeLog: () => undefined });
  return { ...(await keysOf(host)), file };
}

test("[configuration-shown] each key has its value and source: file and line, variable, flag, or default", async () => {
  const { keys, file } = await ask({ env: { INCIPIT_PROMPT_REFRESH: "turn" } });

  expect(keys.get("model")).toMatchObject({ value: "offline/echo", origin: { kind: "flag", name: "--model" } });
  expect(keys.get("prompt_refresh")).toMatchObject({
    value: "turn",
    origin: { kind: "variable", name: "INCIPIT_PROMPT_REFRESH" },
  });
  expect(keys.get("records.keep_days")).toMatchObject({ value: 7, origin: { kind: "file", file, line: 5 } });
  expect(keys.get("providers.work.models.large.context_window")).toMatchObject({
    value: 1_000,
    origin: { kind: "file", file, line: 11 },
  });
  expect(keys.get("providers.work.api_key_env")).toMatchObject({ value: "WORK_KEY", isRedacted: false });
  expect(keys.get("records.requests")).toMatchObject({ value: true, origin: { kind: "default" } });
  expect(keys.get("mcp.servers.files.start_timeout_seconds")).toMatchObject({
    value: 30,
    origin: { kind: "default" },
  });
  expect(keys.get("extensions.settings.session-orchestrator.max_steps")).toMatchObject({
    value: 50,
    origin: { kind: "default" },
  });
  expect(keys.has("providers")).toBe(false);
  expect(keys.get("profiles")).toMatchObject({ value: {}, origin: { kind: "default" } });
  expect(keys.get("telemetry.otlp_url")).toMatchObject({ value: null, origin: { kind: "not-set" } });
});

test("[configuration-shown] no secret appears from any source", async () => {
  const { keys, raw } = await ask();

  for (const planted of [secret, "planted-key-value", "planted-value"]) expect(raw).not.toContain(planted);
  for (const path of ["mcp.servers.files.args", "providers.work.base_url"])
    expect({ path, isRedacted: keys.get(path)?.isRedacted }).toEqual({ path, isRedacted: true });
});

test("every key of the example is in the output", async () => {
  const example = await Bun.file(join(import.meta.dir, "../../../../config.example.toml")).text();
  const written = [...example.matchAll(/^\[([a-z_.]+)\]|^(?:# )?([a-z_]+) = /gm)];
  const { keys } = await ask({ file: 'model = "offline/echo"\n[listen]\nport = 0\n' });

  let table = "";
  const missing: string[] = [];
  for (const [line, name, key] of written) {
    if (name !== undefined) table = `${name}.`;
    // User-defined names and keys of kinds appear only once configured.
    if (key === undefined || (line.startsWith("# ") && table === "extensions.")) continue;
    if (!keys.has(`${table}${key}`)) missing.push(`${table}${key}`);
  }
  expect(missing).toEqual([]);
});
