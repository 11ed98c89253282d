import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { type AddedExtensions, allowAnyExtension } from "@incipit/host/configuration";
import { parseConfig } from "./parse-config.ts";
import { coreSchema } from "./core-schema.ts";
import { loadConfig, type LoadOptions } from "./load-config.ts";

const example = join(import.meta.dir, "../../../../config.example.toml");

function problemOf(work: () => unknown): string {
  try {
    work();
    return "it was taken";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const listenSchema = z.looseObject({ listen: z.looseObject({ host: z.string(), port: z.number() }) });

function listenOf(config: unknown): z.output<typeof listenSchema>["listen"] {
  return listenSchema.parse(config).listen;
}

const refused = [
  [
    "system_prompt = '/srv/prompts/one.md'",
    'incipit.toml:1: key "system_prompt" is "/srv/prompts/one.md", which is a file path, not text; to send its content, write "[file:/srv/prompts/one.md]", and [prompt] read = ["$cwd", "/srv/prompts"]',
  ],
  ["append_system_prompt = './one.md'", 'incipit.toml:1: key "append_system_prompt" is "./one.md"'],
  [
    "\n[profiles.a]\nsystem_prompt = '~/one.md'",
    'incipit.toml:3: key "profiles.a.system_prompt" is "~/one.md", which is a file path',
  ],
  [
    "[profiles.a]\nappend_system_prompt = 'one.md'",
    'incipit.toml:2: key "profiles.a.append_system_prompt" is "one.md"',
  ],
  ["modle = 'x/y'", 'incipit.toml:1: key "modle" is unknown; did you mean "model"?'],
  ["\n[listen]\nprot = 1", 'incipit.toml:3: key "listen.prot" is unknown; did you mean "port"?'],
  ["[listen]\nport = '1'", 'incipit.toml:2: key "listen.port" must be a whole number from 0 to 65535'],
  ["[listen]\nport = 1.5", 'incipit.toml:2: key "listen.port" must be a whole number from 0 to 65535'],
  ["[listen]\nport = 65536", 'incipit.toml:2: key "listen.port" must be a whole number from 0 to 65535'],
  ["listen = 4140", 'incipit.toml:1: key "listen" must be a table'],
  ["model = 1", 'incipit.toml:1: key "model" must be a string'],
  ["model = 'echo'", 'incipit.toml:1: key "model" must be PROVIDER/MODEL'],
  ["prompt.read = '$cwd'", 'incipit.toml:1: key "prompt.read" must be a list'],
  ["[prompt]\nread = ['$cwd', 'docs']", 'incipit.toml:2: key "prompt.read.1" must be an absolute path'],
  ["[prompt]\nread = ['$cwd-other']", 'incipit.toml:2: key "prompt.read.0" must be an absolute path'],
  [
    "[providers.a]\nkind = 'openai'\nbase_ulr = 'x'",
    'incipit.toml:3: key "providers.a.base_ulr" is unknown; did you mean "base_url"?',
  ],
  [
    "providers.a.kind = 'opnai'",
    'incipit.toml:1: key "providers.a.kind" has no such value; did you mean "openai"?',
  ],
  ["[providers.a]", 'incipit.toml:1: key "providers.a.kind" is missing; it must be one of "openai"'],
  [
    "providers.a.kind = 'anthropc'",
    'incipit.toml:1: key "providers.a.kind" has no such value; did you mean "anthropic"?',
  ],
  [
    "[providers.a]\nkind = 'anthropic'\napi = 'chat'",
    'incipit.toml:3: key "providers.a.api" does nothing for the kind "anthropic", which has one API; take it out',
  ],
  [
    "[providers.a]\nkind = 'google'\ncache_ttl = '1h'",
    'incipit.toml:3: key "providers.a.cache_ttl" does nothing for the kind "google", whose vendor decides that itself; take it out',
  ],
  [
    "[providers.a]\nkind = 'google'\ntool_search = 'vendor'",
    'incipit.toml:3: key "providers.a.tool_search" does nothing for the kind "google", whose tools are looked up by the host in any case; take it out',
  ],
  [
    "[providers.a]\nkind = 'openai'\napi = 'chat'\ntool_search = 'vendor'",
    'incipit.toml:4: key "providers.a.tool_search" cannot be "vendor" with api = "chat": that API has no such means; take it out',
  ],
  [
    "[providers.a]\nkind = 'openai'\napi = 'respones'",
    'incipit.toml:3: key "providers.a.api" has no such value; did you mean "responses"?',
  ],
  [
    "[providers.a]\nkind = 'google'\nmodels.x.contextwindow = 1",
    'incipit.toml:3: key "providers.a.models.x.contextwindow" is unknown; did you mean "context_window"?',
  ],
  [
    "[providers.a]\nkind = 'google'\n[providers.a.models.'x-1.5'.prices]\ninput = -1\noutput = 1",
    `incipit.toml:4: key "providers.a.models.'x-1.5'.prices.input" must be US dollars for a million tokens`,
  ],
  [
    "[providers.a]\nkind = 'extension'\n[providers.a.models.x]",
    'incipit.toml:3: key "providers.a.models" does nothing for the kind "extension"; take it out',
  ],
  ["[providers.'a b']\nkind = 'openai'", `incipit.toml:1: key "providers.'a b'" must be letters, digits, _ and -`],
  ["[providers.a]\nkind = 'openai-compatible'", 'incipit.toml:1: key "providers.a" needs "base_url"'],
  [
    "[providers.a]\nkind = 'offline'\nbase_url = 'http://x'",
    'incipit.toml:3: key "providers.a.base_url" does nothing',
  ],
  [
    "[providers.offline]\nkind = 'openai'",
    'incipit.toml:1: key "providers.offline" is the built-in provider\'s name',
  ],
  ["network.proxy = 'proxy.acme.dev'", 'incipit.toml:1: key "network.proxy" must be "none", "env:NAME"'],
  ["network.proxy = 'socks5://p.test:1'", 'incipit.toml:1: key "network.proxy" must be "none", "env:NAME"'],
  ["network.proxy = 'http://me:pw@p.test:1'", 'incipit.toml:1: key "network.proxy" must be "none", "env:NAME"'],
  ["network.proxy = 'env:'", 'incipit.toml:1: key "network.proxy" must be "none", "env:NAME"'],
  [
    "[providers.a]\nkind = 'openai-compatible'\nbase_url = 'http://localhost:1/v1'\nproxy = 'http://p.test:1'",
    'incipit.toml:4: key "providers.a.proxy" does nothing: "localhost:1" is never reached over a proxy',
  ],
  [
    "[telemetry]\notlp_url = 'http://10.0.0.1:4318'\nproxy = 'env:P'",
    'incipit.toml:3: key "telemetry.proxy" does nothing: "10.0.0.1:4318" is never reached over a proxy',
  ],
  [
    "[providers.a]\nkind = 'openai'\nproxy = 'none'\n[providers.b]\nkind = 'openai'\nproxy = 'http://p.test:1'",
    'incipit.toml:6: key "providers.b.proxy" differs from "providers.a.proxy", which has the same address ("api.openai.com:443")',
  ],
  [
    "[mcp.servers.a]\nurl = 'http://[::1]:9/mcp'\nproxy = 'env:P'",
    'incipit.toml:3: key "mcp.servers.a.proxy" does nothing: "[::1]:9" is never reached over a proxy',
  ],
  [
    "[mcp.servers.a]\ncommand = 'x'\nproxy = 'none'",
    'incipit.toml:3: key "mcp.servers.a.proxy" does nothing for a server with "command"; take it out',
  ],
  ["records.keep_days = -1", 'incipit.toml:1: key "records.keep_days" must be a number of days; 0: for ever'],
  ["compaction.share = 1", 'incipit.toml:1: key "compaction.share" must be a number from 0.1 to 0.95'],
  ["model = 'nobody/x'", 'incipit.toml:1: key "model" is "nobody/x", and there is no [providers.nobody]'],
  ["model = 'constructor/x'", 'incipit.toml:1: key "model" is "constructor/x", and there is no'],
  ["[profiles.p]\nmodel = 'nobody/x'", 'incipit.toml:2: key "profiles.p.model" is "nobody/x", and there is no'],
  ["model = ", "incipit.toml:1:"],
  ["a = 1\na = 2", "incipit.toml:2:"],
  ["[listen]\nhost = '0.0.0.0'", 'incipit.toml:2: key "listen.host" is "0.0.0.0", which others can reach'],
  ["[mcp]\nserver = 1", 'incipit.toml:2: key "mcp.server" is unknown; did you mean "servers"?'],
  [
    "[mcp.servers.x]\ncomand = 'npx'",
    'incipit.toml:2: key "mcp.servers.x.comand" is unknown; did you mean "command"?',
  ],
  ["[mcp.servers.x]", 'incipit.toml:1: key "mcp.servers.x" needs "command" (a program) or "url"'],
  ["[mcp.servers.x]\ncommand = 'a'\nurl = 'https://a.dev'", 'incipit.toml:1: key "mcp.servers.x" needs "command"'],
  ["[mcp.servers.x]\ncommand = './a'", 'incipit.toml:2: key "mcp.servers.x.command" must be a program'],
  ["[mcp.servers.x]\nargs = 'a'\ncommand = 'a'", 'incipit.toml:2: key "mcp.servers.x.args" must be a list'],
  [
    "[mcp.servers.x]\ncommand = 'a'\nargs = ['-y', '.']",
    'incipit.toml:3: key "mcp.servers.x.args" has ".", and the program does not run in the working folder; write "$cwd"',
  ],
  ["[mcp.servers.x]\ncommand = 'a'\ncwd = 'b'", 'incipit.toml:3: key "mcp.servers.x.cwd" must be an absolute path'],
  ["[mcp.servers.x]\nurl = 'https://a.dev'\ncwd = '/'", 'incipit.toml:3: key "mcp.servers.x.cwd" does nothing'],
  ["[mcp.servers.x]\nurl = 'ftp://a.dev'", 'incipit.toml:2: key "mcp.servers.x.url" must be an http or https URL'],
  [
    "[mcp.servers.x]\nurl = 'https://a.dev'\nargs = ['a']",
    'incipit.toml:3: key "mcp.servers.x.args" does nothing for a server with "url"',
  ],
  [
    "[mcp.servers.x]\ncommand = 'a'\ntoken_env = 'A'",
    'incipit.toml:3: key "mcp.servers.x.token_env" does nothing for a server with "command"',
  ],
  [
    "[mcp.servers.x]\ncommand = 'a'\napprove = 'yes'",
    'incipit.toml:3: key "mcp.servers.x.approve" has no such value; there are "allow", "ask", "deny"',
  ],
  [
    "[mcp.servers.x]\ncommand = 'a'\n[mcp.servers.x.tools.y]\napprove = 'ask'\naprove = 'deny'",
    'incipit.toml:5: key "mcp.servers.x.tools.y.aprove" is unknown; did you mean "approve"?',
  ],
  ["[mcp.servers.x.tools.y]", 'incipit.toml:1: key "mcp.servers.x.tools.y.approve" is missing'],
  ["[mcp.servers.x]\ncommand = 'a'\nenv = { A = 'b' }", 'incipit.toml:3: key "mcp.servers.x.env" must be a list'],
  [
    "[mcp.servers.x]\ncommand = 'a'\nstart_timeout_seconds = 0",
    'incipit.toml:3: key "mcp.servers.x.start_timeout_seconds" must be a whole number of seconds from 1 to 600',
  ],
  [
    "[extensions.settings.session-orchestrator]\nmax_stepps = 1",
    'incipit.toml:2: key "extensions.settings.session-orchestrator.max_stepps" is unknown; did you mean "max_steps"?',
  ],
  [
    "[extensions.settings.system-prompt]\nmax_segments = 0",
    'incipit.toml:2: key "extensions.settings.system-prompt.max_segments" must be a whole number from 1 on',
  ],
  [
    "\n[extensions.settings.sesion-orchestrator]\nmax_steps = 1",
    'incipit.toml:2: key "extensions.settings.sesion-orchestrator" is unknown; did you mean "session-orchestrator"?',
  ],
  [
    "[extensions.settings.'acme.weather']\ncity = 'Turin'",
    `incipit.toml:1: key "extensions.settings.'acme.weather'" is unknown; there are "storage-sqlite", `,
  ],
  [
    "storage.use = 'acme.journal'",
    'incipit.toml:1: key "storage.use" is "acme.journal", and no extension has this id; there are "storage-sqlite"; name the folder of one that was never added in "extensions.paths"',
  ],
  [
    "extensions.settings.provider-google.x = 1",
    'incipit.toml:1: key "extensions.settings.provider-google.x" is unknown',
  ],
  [
    "[storage]\nuse = 'storage-sqlit'",
    'incipit.toml:2: key "storage.use" is "storage-sqlit", and no extension has this id; did you mean "storage-sqlite"?',
  ],
  [
    "storage.use = 'system-prompt'",
    'incipit.toml:1: key "storage.use" is "system-prompt", which is not a storage driver',
  ],
  ["[mcp.servers.a__b]\ncommand = 'a'", 'incipit.toml:1: key "mcp.servers.a__b" must be at most 32 letters'],
  ["[mcp.servers.a_]\ncommand = 'a'", 'incipit.toml:1: key "mcp.servers.a_" must be at most 32 letters'],
] as const;

for (const [text, message] of refused) {
  test(`parseConfig refuses ${JSON.stringify(text)} with file, line and key`, () => {
    expect(problemOf(() => parseConfig(text, "incipit.toml"))).toStartWith(message);
  });
}

test("parseConfig explains settings of unknown extensions and names each removed one", async () => {
  await using folder = await createTempFolder();
  const path = join(folder.path, "notes");
  const incipit = { id: "acme.notes", version: "1.0.0", api: "^1" };
  await Bun.write(join(path, "package.json"), JSON.stringify({ incipit }));
  await Bun.write(
    join(folder.path, "extensions.json"),
    JSON.stringify({ extensions: [{ id: "acme.notes", path }] }),
  );
  const text = "extensions.settings.'other.weather'.city = 'Turin'";

  const problem = problemOf(() => parseConfig(text, "f", { dataFolder: folder.path }));

  expect(problem).toEndWith('"acme.notes"; name the folder of one that was never added in "extensions.paths"');
  expect(problem.split('"acme.notes"')).toHaveLength(2);
});

test("parseConfig reports every problem, one per line", () => {
  const text = "modle = 'x/y'\n[listen]\nprot = 1\nport = 'x'";

  const lines = problemOf(() => parseConfig(text, "f")).split("\n");

  expect(lines.map((line) => line.slice(0, 4)).toSorted()).toEqual(["f:1:", "f:3:", "f:4:"]);
});

test("[attack:bounds-config-problems] parseConfig looks up lines only for the first 20 problems", () => {
  const wrong = (count: number): string =>
    problemOf(() => parseConfig(Array.from({ length: count }, (_, index) => `k${index} = 1`).join("\n"), "f"));

  const hostile = wrong(60_000).split("\n");

  expect(hostile).toHaveLength(21);
  expect(hostile.at(-1)).toBe("… and more; fix these first");
  expect(wrong(20).split("\n").at(-1)).toStartWith('f:20: key "k19" is unknown');
  expect(problemOf(() => parseConfig("#".repeat(1_048_577), "f"))).toContain("more than 1048576 characters");
  expect(problemOf(() => parseConfig("#".repeat(1_048_576), "f"))).toBe("it was taken");
});

test("[attack:bounds-config-depth] parseConfig rejects excessive nesting of brackets or dots in one line", () => {
  const settings = "extensions.settings.x";
  const deep = (levels: number): readonly string[] => [
    `${settings} = ${"{a=".repeat(levels)}1${"}".repeat(levels)}`,
    `${settings}.a = ${"[".repeat(levels)}${"]".repeat(levels)}`,
    `${settings}${".a".repeat(levels)} = 1`,
    `[${settings}${".a".repeat(levels)}]`,
  ];

  const refusals = deep(60_000).map((text) => problemOf(() => parseConfig(text, "incipit.toml")));
  const added = (): AddedExtensions => ({ ids: ["x"], kinds: [], isIncomplete: false });
  const controls = deep(100).map((text) => problemOf(() => parseConfig(text, "incipit.toml", { added })));

  for (const refusal of refusals) expect(refusal).toMatch(/^incipit\.toml:.*nested/);
  expect(controls).toEqual(controls.map(() => "it was taken"));
});

test("[closed-by-default] parseConfig never prints a secret written in the wrong place", () => {
  const key = "sk-planted-secret";
  for (const text of [
    `[providers.a]\nkind = 'openai'\napi_key_env = '${key}'`,
    `[providers.a]\nkind = 'openai'\napi_key = '${key}'`,
    `[providers.a]\nkind = 'openai'\nbase_url = 'https://user:${key}@api.acme.dev/v1'`,
    `[providers.a]\nkind = '${key}'`,
    `model = '${key}'`,
    `[providers.a]\nkind = 'openai'\napi_key_env = ['${key}']`,
    `[mcp.servers.a]\ncommand = 'a'\nenv = ['ACME_KEY=${key}']`,
    `[mcp.servers.a]\ncommand = 'a'\nenv = { ACME_KEY = '${key}' }`,
    `[mcp.servers.a]\nurl = 'https://user:${key}@mcp.acme.dev'`,
    `[mcp.servers.a]\nurl = 'https://mcp.acme.dev'\ntoken_env = '${key}'`,
    `[mcp.servers.a]\nurl = 'https://mcp.acme.dev'\nheaders_env = { Authorization = 'Bearer ${key}' }`,
  ]) {
    const problem = problemOf(() => parseConfig(text, "incipit.toml"));
    expect(problem).toStartWith("incipit.toml:");
    expect(problem).not.toContain(key);
  }
});

test("parseConfig accepts a public listen address once served hosts are configured", () => {
  const text = '[listen]\nhost = "0.0.0.0"\nallowed_hosts = ["incipit.example"]';

  expect(listenOf(parseConfig(text, "f"))).toMatchObject({ host: "0.0.0.0", allowed_hosts: ["incipit.example"] });
  for (const host of ["localhost", "::1", "127.0.0.2"])
    expect(listenOf(parseConfig(`listen.host = "${host}"`, "f")).host).toBe(host);
});

/** The example does not show all of their keys. */
const wholeKeys: ReadonlySet<string> = new Set([
  "mcp.servers.*.headers_env", // Header names are user-defined.
  "telemetry.headers_env",
  ...["providers.*", "providers.*.models.*"].flatMap((endpoint) => [
    `${endpoint}.extra_body`,
    `${endpoint}.extra_headers`,
    `${endpoint}.extra_headers_env`,
  ]),
  "profiles.*.settings",
  "profiles.*.budget",
]);

function hasChosenNames(path: readonly string[]): boolean {
  return (
    path[0] !== "extensions" &&
    coreSchema.knownKeys(path) === undefined &&
    coreSchema.knownKeys([...path, "*"]) !== undefined
  );
}

/** Names that users choose are "*". */
function schemaKeys(path: readonly string[] = []): readonly string[] {
  if (wholeKeys.has(path.join("."))) return [path.join(".")];
  const known = path.join(".") === "extensions.settings" ? coreSchema.ids : coreSchema.knownKeys(path);
  if (known !== undefined) return known.flatMap((key) => schemaKeys([...path, key]));
  return hasChosenNames(path) ? schemaKeys([...path, "*"]) : [path.join(".")];
}

function keysOf(value: unknown, path: readonly string[] = []): readonly string[] {
  if (path.join(".") === "extensions.settings.acme.weather") return [];
  const isWhole = wholeKeys.has(path.join("."));
  if (isWhole || typeof value !== "object" || value === null || Array.isArray(value)) return [path.join(".")];
  const isNamed = hasChosenNames(path);
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, [...path, isNamed ? "*" : key]));
}

test("[trial:default-told] config.example.toml shows every key with its default", async () => {
  const text = await Bun.file(example).text();
  const uncommented = text.replaceAll(/^# (\[|[a-z_]+ = )/gm, "$1");

  expect(parseConfig(text, example)).toEqual(parseConfig("", "f"));
  expect([...new Set(keysOf(Bun.TOML.parse(uncommented)))].toSorted()).toEqual(schemaKeys().toSorted());
  const { settings } = parseConfig(uncommented, example, { added: () => allowAnyExtension }).extensions;
  for (const id of coreSchema.ids)
    expect([id, Object(settings[id] ?? {})]).toEqual([
      id,
      z.strictObject(coreSchema.settingsShape(id) ?? {}).parse({}),
    ]);
});

test("config.example.toml is valid with every line uncommented", async () => {
  const text = await Bun.file(example).text();
  const uncommented = text.replaceAll(/^# (\[|[a-z_]+ = )/gm, "$1");

  const added = (): AddedExtensions => ({ ids: ["acme.weather"], kinds: [], isIncomplete: false });
  expect(parseConfig(uncommented, example, { added })).toMatchObject({
    providers: { openai: { kind: "openai" } },
    append_system_prompt: "Answer in English.",
  });
});

test("parseConfig accepts the configuration of the MCP guide", async () => {
  const guide = await Bun.file(join(import.meta.dir, "../../../../docs/guide/mcp.md")).text();
  const [, text = ""] = /```toml\n([\s\S]*?)```/.exec(guide) ?? [];

  expect(Object.keys(Object(parseConfig(text, "mcp.md")["mcp"]).servers)).toEqual(["files", "search"]);
});

test("loadConfig: flags override variables, which override the file", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, ".config/incipit/incipit.toml"), "[listen]\nport = 1\nhost = 'localhost'");
  const env = {
    HOME: folder.path,
    INCIPIT_PORT: "2",
    INCIPIT_SYSTEM_PROMPT: "from a variable",
    INCIPIT_PROMPT_REFRESH: "turn",
    INCIPIT_ALLOWED_HOSTS: "a.example, b.example",
  };

  const { config, dataFolder } = loadConfig({ cwd: folder.path, env, flags: { port: "3" } });

  expect(config()).toMatchObject({
    system_prompt: "from a variable",
    prompt_refresh: "turn",
    listen: { host: "localhost", port: 3, allowed_hosts: ["a.example", "b.example"] },
  });
  expect(dataFolder).toBe(join(folder.path, ".local/share/incipit"));
});

test("loadConfig reads the named file or the XDG one, never the working folder's", async () => {
  await using folder = await createTempFolder();
  const cwd = join(folder.path, "cwd");
  const xdg = join(folder.path, ".config/incipit");
  await mkdir(xdg, { recursive: true });
  await mkdir(cwd);
  const portOf = (sources: Partial<LoadOptions>): number =>
    listenOf(loadConfig({ cwd, env: { HOME: folder.path }, flags: {}, ...sources }).config()).port;

  expect(portOf({})).toBe(4140);
  await Bun.write(join(xdg, "incipit.toml"), "listen.port = 1");
  expect(portOf({})).toBe(1);
  expect(portOf({ env: { HOME: "/none", XDG_CONFIG_HOME: join(folder.path, ".config") } })).toBe(1);
  expect(portOf({ env: { HOME: folder.path, XDG_CONFIG_HOME: "relative" } })).toBe(1);
  await Bun.write(join(cwd, "incipit.toml"), "listen.port = 2");
  expect(portOf({})).toBe(1);
  await Bun.write(join(cwd, "other.toml"), "listen.port = 3");
  expect(portOf({ flags: { config: "other.toml" } })).toBe(3);
  expect(problemOf(() => portOf({ flags: { config: "none.toml" } }))).toContain(join(cwd, "none.toml"));
});

test("loadConfig names the invalid flag or variable", () => {
  const load = (env: LoadOptions["env"], flags: LoadOptions["flags"]): string =>
    problemOf(() => loadConfig({ cwd: "/", env: { HOME: "/none", ...env }, flags }).config());

  expect(load({ INCIPIT_PROT: "1" }, {})).toBe(
    'The variable "INCIPIT_PROT" is unknown; did you mean "INCIPIT_PORT"?',
  );
  expect(load({ INCIPIT_PORT: "x" }, {})).toBe(
    'INCIPIT_PORT: key "listen.port" must be a whole number from 0 to 65535',
  );
  expect(load({}, { port: "99999" })).toStartWith('--port: key "listen.port" must be');
  expect(load({}, { model: "nobody/x" })).toStartWith('--model: key "model" is "nobody/x", and there is no');
  expect(load({ INCIPIT_HOST: "0.0.0.0" }, {})).toStartWith('INCIPIT_HOST: key "listen.host"');
});

test("[attack:folder-relative-variable] loadConfig rejects relative paths in the environment", async () => {
  await using folder = await createTempFolder();
  const cwd = folder.path;
  await Bun.write(join(cwd, "incipit.toml"), "listen.port = 7");
  await Bun.write(join(cwd, ".config/incipit/incipit.toml"), "listen.port = 7");
  const load = (env: LoadOptions["env"], flags: LoadOptions["flags"] = {}): ReturnType<typeof loadConfig> =>
    loadConfig({ cwd, env: { HOME: "/none", ...env }, flags });

  expect(problemOf(() => load({ INCIPIT_CONFIG: "incipit.toml" }))).toContain('"INCIPIT_CONFIG" is "incipit.toml"');
  expect(problemOf(() => load({ INCIPIT_DATA: "data" }))).toContain("another place in each folder");
  expect(problemOf(() => load({ HOME: "." }))).toContain('"HOME" is "."');
  for (const env of [
    { HOME: "" },
    { XDG_CONFIG_HOME: ".config" },
    { XDG_CONFIG_HOME: "" },
    { INCIPIT_CONFIG: "" },
  ]) {
    expect(listenOf(load(env).config()).port).toBe(4140);
    expect(load(env).dataFolder).not.toStartWith(cwd);
  }
  expect(problemOf(() => load({}, { data: "" }))).toContain("--data is empty");
  expect(listenOf(load({ INCIPIT_CONFIG: join(cwd, "incipit.toml") }).config()).port).toBe(7);
  expect(listenOf(load({}, { config: "incipit.toml" }).config()).port).toBe(7);
});

test("parseConfig requires folder extensions for unknown names, and then accepts their keys", () => {
  const asked: (readonly string[])[] = [];
  const isTaken = (text: string, known: Partial<AddedExtensions>): string =>
    problemOf(() =>
      parseConfig(text, "f", {
        added: (paths) => {
          asked.push(paths);
          return { ids: [], kinds: [], isIncomplete: false, ...known };
        },
      }),
    );

  expect(isTaken("[providers.a]\nkind = 'openai'\n[extensions.settings.telemetry-otlp]\ntimeout_ms = 1", {})).toBe(
    "it was taken",
  );
  expect(asked).toEqual([]);
  const own = "extensions.paths = ['/w']\n[providers.a]\nkind = 'acme'\nregion = 'here'\n";
  expect(isTaken(own, { kinds: ["acme"] })).toBe("it was taken");
  expect(asked).toEqual([["/w"]]);
  expect(isTaken("model = 'a/x'\n[providers.a]\nkind = 'acme'", { kinds: ["acme"] })).toBe("it was taken");
  expect(isTaken("[extensions.settings.'acme.x']\na = 1", { ids: ["acme.x"] })).toBe("it was taken");
  // An unreadable folder is reported at the start, and its extensions are unknown.
  expect(isTaken(`${own}[extensions.settings.'acme.x']`, { isIncomplete: true })).toBe("it was taken");
  expect(isTaken("[providers.a]\nkind = 'acmee'", { kinds: ["acme"] })).toBe(
    'f:2: key "providers.a.kind" has no such value; did you mean "acme"?',
  );
});

test("loadConfig rejects a path in a prompt variable, also of a file without extension", async () => {
  await using folder = await createTempFolder();
  await Bun.write(join(folder.path, "file"), "You help.");
  const load = (env: Readonly<Record<string, string>>) => () =>
    loadConfig({ cwd: folder.path, env: { HOME: folder.path, ...env }, flags: {} }).config();

  expect(problemOf(load({ INCIPIT_SYSTEM_PROMPT: "~/prompt.md" }))).toContain(
    'INCIPIT_SYSTEM_PROMPT: key "system_prompt" is "~/prompt.md"',
  );
  expect(problemOf(load({ INCIPIT_APPEND_SYSTEM_PROMPT: "./prompt.md" }))).toContain(
    "INCIPIT_APPEND_SYSTEM_PROMPT: ",
  );
  expect(problemOf(load({ INCIPIT_SYSTEM_PROMPT: join(folder.path, "file") }))).toContain("[prompt] read = ");
  expect(problemOf(load({ INCIPIT_SYSTEM_PROMPT: "/no_think" }))).toBe("it was taken");
});

test("loadConfig enables workspace tools without a user file, unless a folder disables them", async () => {
  await using folder = await createTempFolder();
  const own = join(folder.path, ".config/incipit/incipit.toml");
  const load = () => loadConfig({ cwd: folder.path, env: { HOME: folder.path }, flags: {} });
  const workspaceOf = (config: unknown): unknown =>
    z.looseObject({ tools: z.looseObject({ workspace: z.boolean() }) }).parse(config).tools.workspace;
  const less = { table: { tools: { workspace: false } }, text: "", file: "incipit.toml" };

  const first = workspaceOf(load().config());
  const ofFolder = workspaceOf(load().config(less));
  await Bun.write(own, 'model = "offline/echo"\n');
  const configured = workspaceOf(load().config());

  expect([first, ofFolder, configured]).toEqual([true, false, false]);
});
