import { expect, test } from "bun:test";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { World } from "../support/world.ts";

const key = "sk-planted-0123456789abcdef0123456789";
const findingSchema = z.strictObject({
  check: z.string(),
  status: z.enum(["ok", "note", "wrong"]),
  what: z.string(),
  where: z.string().optional(),
  fix: z.string().optional(),
});
type Finding = z.infer<typeof findingSchema>;

async function examine(
  world: World,
  env: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<{ readonly exitCode: number; readonly findings: readonly Finding[] }> {
  const { exitCode, stdout, stderr } = await world.run(["doctor", "--json", ...args], { env });
  expect(stdout + stderr).not.toContain(key);
  expect(stderr).toBe("");
  const lines = stdout.trim().split("\n");
  return { exitCode, findings: lines.map((line) => findingSchema.parse(JSON.parse(line))) };
}

function wrongOf(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ status }) => status === "wrong");
}

const oneProvider = 'listen.port = 0\nproviders.local.api_key_env = "OUR_KEY"';

test("doctor reports a healthy setup, requests only model lists, and leaves no files", async () => {
  await using world = await World.start({ config: oneProvider });

  const { exitCode, findings } = await examine(world, { OUR_KEY: key });
  const shown = await world.run(["doctor"], { env: { OUR_KEY: key } });

  expect([exitCode, wrongOf(findings)]).toEqual([0, []]);
  expect(new Set(findings.map(({ check }) => check))).toEqual(
    new Set(["versions", "configuration", "permissions", "keys", "providers", "storage", "host", "port", "trust"]),
  );
  expect(findings.find(({ check }) => check === "providers")).toMatchObject({ where: `${world.model.url}/models` });
  expect(world.model.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /v1/models",
    "GET /v1/models",
  ]);
  expect(world.model.requests[0]?.headers["authorization"]).toBe(`Bearer ${key}`);
  expect(shown.stdout).toContain('ok     keys: OUR_KEY is set, for "local"');
  expect([shown.exitCode, shown.stderr]).toEqual([0, "Nothing is wrong\n"]);
  expect(await readdir(join(world.home, ".local")).catch(() => "nothing")).toBe("nothing");
}, 60_000);

test("doctor reports each configuration mistake with file and line, without values", async () => {
  await using world = await World.start({
    config: () => `modle = "a/b"\n\n[providers.work]\nkind = "openai"\napi_key = "${key}"\n`,
  });

  const { exitCode, findings } = await examine(world);
  expect(new Set(findings.map(({ check }) => check))).toContain("storage");
  const variable = await examine(world, { INCIPIT_MODLE: "a/b" });

  expect(exitCode).toBe(1);
  expect(wrongOf(findings)).toEqual([
    expect.objectContaining({
      check: "configuration",
      where: `${world.config}:1`,
      what: expect.stringContaining("model"),
    }),
    expect.objectContaining({ where: `${world.config}:5`, what: expect.stringContaining("api_key_env") }),
  ]);
  expect(wrongOf(variable.findings)[0]?.what).toContain("INCIPIT_MODLE");
}, 60_000);

test("doctor reports missing and rejected keys with their source, and sends no request without one", async () => {
  await using world = await World.start({
    config: (model) =>
      `listen.port = 0\n[providers.a]\nkind = "openai"\nbase_url = "${model.url}"\n[providers.b]\nkind = "anthropic"\nbase_url = "${model.urlOf("anthropic")}"\n`,
  });
  using refusing = Bun.serve({ port: 0, fetch: () => new Response("no", { status: 401 }) });
  const table = `\n[providers.c]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:${refusing.port}/v1"\napi_key_env = "C_KEY"\n`;
  await Bun.write(world.config, (await Bun.file(world.config).text()) + table);

  const { exitCode, findings } = await examine(world, { ANTHROPIC_API_KEY: key, C_KEY: key });

  expect(exitCode).toBe(1);
  expect(wrongOf(findings)).toEqual([
    {
      check: "keys",
      status: "wrong",
      what: 'OPENAI_API_KEY is not set: "a" cannot be asked',
      where: `${world.config}:2`,
      fix: "export OPENAI_API_KEY=… (get a key at https://platform.openai.com/api-keys)",
    },
    {
      check: "providers",
      status: "wrong",
      what: '"c" answers 401: it refuses the key in C_KEY',
      where: `http://127.0.0.1:${refusing.port}/v1/models`,
      fix: "export C_KEY=…, with a key that is good",
    },
  ]);
  expect(world.model.requests.map(({ headers }) => headers["x-api-key"])).toEqual([key]);
}, 60_000);

test("doctor redacts a key in an address", async () => {
  await using world = await World.start({
    config: (model) =>
      `listen.port = 0\n[mcp.servers.web]\nurl = "${new URL(model.url).origin}/mcp?api_key=${key}"\n`,
  });

  const { findings } = await examine(world);

  expect(findings.find(({ check }) => check === "mcp")?.where).toContain("/mcp?api_key=");
  expect(world.model.requests).toHaveLength(1);
}, 60_000);

test("doctor waits five seconds per provider and explains how to start a local server", async () => {
  await using world = await World.start({ config: null });
  using silent = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => new Promise<Response>(() => {}) });
  await world.configure(
    () =>
      `listen.port = 0\n[providers.slow]\nkind = "openai-compatible"\nbase_url = "http://127.0.0.1:${silent.port}/v1"\n`,
  );

  const slow = await examine(world);
  await silent.stop(true);
  const closed = await examine(world, { OLLAMA_HOST: "127.0.0.1:1" }, "--model", "ollama/llama3.2");

  expect(wrongOf(slow.findings)).toEqual([
    expect.objectContaining({ check: "providers", what: expect.stringContaining('"slow" cannot be reached: ') }),
  ]);
  expect(closed.findings).toContainEqual(
    expect.objectContaining({ status: "wrong", where: "http://127.0.0.1:1/v1/models", fix: "ollama serve" }),
  );
}, 60_000);

test("doctor reports the data folder's host, a used port, and unsafe file modes", async () => {
  await using world = await World.start({ config: oneProvider });
  const host = await world.host();
  using other = Bun.serve({ port: 0, fetch: () => new Response() });
  await chmod(world.config, 0o666);
  await chmod(join(world.data, "token"), 0o644);
  const taken = (await Bun.file(world.config).text()).replace("listen.port = 0", `listen.port = ${other.port}`);

  const held = await examine(world, { OUR_KEY: key });
  await chmod(world.config, 0o600);
  await Bun.write(world.config, taken);
  const free = await examine(world, { OUR_KEY: key }, "--data", join(world.home, "other"));

  expect(wrongOf(held.findings).map(({ fix }) => fix)).toEqual([
    `chmod go-rwx ${world.data}/token`,
    `chmod go-w ${world.config}`,
  ]);
  expect(held.findings.find(({ check }) => check === "host")).toMatchObject({
    status: "ok",
    where: host.url,
    what: expect.stringContaining(`process ${host.pid} has the data folder`),
  });
  expect(wrongOf(free.findings)).toEqual([]);
  expect(free.exitCode).toBe(0);
  expect(free.findings.find(({ check }) => check === "port")).toMatchObject({
    status: "note",
    what: expect.stringMatching(
      process.platform === "linux" ? new RegExp(`^process ${process.pid} \\(.+\\) has the port`) : /has the port/,
    ),
    fix: expect.stringContaining("incipit serve --port 0"),
  });
}, 60_000);

test("doctor checks MCP server programs without starting them, and the folder's trust", async () => {
  await using world = await World.start({
    config: () =>
      'listen.port = 0\n[mcp.servers.files]\ncommand = "no-such-program"\n[mcp.servers.shell]\ncommand = "sh"\nargs = ["-c", "touch started"]\nenv = ["FILES_TOKEN"]\n',
  });
  await world.write("incipit.toml", 'system_prompt = "Obey."\n');

  const { exitCode, findings } = await examine(world);

  expect(exitCode).toBe(1);
  expect(wrongOf(findings)).toEqual([
    expect.objectContaining({
      check: "mcp",
      what: 'the program "no-such-program" of a server is not on this machine',
    }),
  ]);
  expect(findings.filter(({ status, check }) => status === "note" && check !== "configuration")).toEqual([
    expect.objectContaining({ check: "mcp", fix: "export FILES_TOKEN=…" }),
    expect.objectContaining({ check: "trust", fix: `incipit trust add ${world.work}` }),
  ]);
  expect(await readdir(world.work)).toEqual(["incipit.toml"]);
}, 60_000);

test("doctor reports unloadable folder extensions by reading only, and keeps the added list", async () => {
  await using world = await World.start({ config: null });
  const folder = (name: string): string => join(world.home, name);
  const write = async (name: string, manifest: object, code: string): Promise<void> => {
    const whole = { id: `acme.${name}`, version: "1.0.0", api: "^1", ...manifest };
    await Bun.write(join(folder(name), "package.json"), JSON.stringify({ name, incipit: whole }));
    const exported = `import { defineExtension } from "@incipit/kernel";\nexport default defineExtension(${JSON.stringify(whole)}, () => {});`;
    await Bun.write(join(folder(name), "src/index.ts"), `${code}\n${exported}\n`);
  };
  const ran = 'throw new Error("it ran");';
  await write("asks", { capabilities: { env: ["HOME"] } }, ran);
  await write("bad", {}, "const = 1;");
  await write("fine", {}, ran);
  const paths = ["asks", "bad", "fine", "gone"].map(folder);
  await world.configure(() => `listen.port = 0\nextensions.paths = ${JSON.stringify(paths)}\n`);
  await Bun.write(join(world.data, "extensions.json"), "{");
  await chmod(world.data, 0o700);

  const damaged = await examine(world);
  await Bun.write(join(world.data, "extensions.json"), '{ "extensions": [] }');
  const { findings } = await examine(world);

  expect(wrongOf(damaged.findings)).toEqual([
    expect.objectContaining({ check: "extensions", where: join(world.data, "extensions.json") }),
  ]);
  expect((await readdir(world.data)).filter((name) => name.startsWith("extensions"))).toEqual(["extensions.json"]);
  expect(wrongOf(findings).map(({ check, where, fix }) => [check, where, fix])).toEqual([
    ["extensions", folder("asks"), `incipit extensions add ${folder("asks")}`],
    ["extensions", folder("bad"), expect.stringContaining("incipit extensions load acme.bad")],
    ["extensions", folder("gone"), "put the extension there, or take the folder out of [extensions] paths"],
  ]);
  expect(wrongOf(findings).map(({ what }) => /\((\w+)\)/.exec(what)?.[1])).toEqual([
    "GRANT_REQUIRED",
    "CODE_INVALID",
    "FOLDER_INVALID",
  ]);
}, 60_000);
