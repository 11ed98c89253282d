import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { lstat, mkdir, realpath, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { incipit, type CommandResult } from "../support/host-process.ts";
import { fixtureServer } from "../support/mcp-programs.ts";

const server = ["plain", "/dev/null", "/dev/null"];

interface World extends AsyncDisposable {
  readonly home: string;
  readonly work: string;
  readonly config: string;
  run(...args: readonly string[]): Promise<CommandResult>;
  read(): Promise<string>;
}

async function newWorld(text?: string): Promise<World> {
  const folder = await createTempFolder();
  const home = await realpath(folder.path);
  const work = join(home, "work");
  await mkdir(work);
  const config = join(home, ".config/incipit/incipit.toml");
  if (text !== undefined) await Bun.write(config, text);
  return {
    home,
    work,
    config,
    run: (...args) => incipit(args, { cwd: work, home, env: { REGION: "eu" } }),
    read: () => Bun.file(config).text(),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test("mcp add writes a working server, keeps the file's text, and can create the file", async () => {
  await using world = await newWorld('# mine\nmodel = "offline/echo" # without a key');
  await using fresh = await newWorld();

  const added = await world.run(
    "mcp",
    "add",
    "files",
    "--env",
    "REGION",
    "--",
    process.execPath,
    fixtureServer,
    ...server,
  );
  const tested = await world.run("mcp", "test", "files");
  const text = await world.read();
  const again = await world.run("mcp", "add", "files", "--", "npx", "-y", "other");
  const first = await fresh.run("mcp", "add", "web", "https://mcp.acme.dev/mcp", "--oauth", "--json");

  expect(added).toMatchObject({ exitCode: 0, stdout: "files\n" });
  expect(added.stderr).toContain("A host that runs reads it when it starts again");
  expect(tested).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("files__echo") });
  expect(text).toStartWith('# mine\nmodel = "offline/echo" # without a key\n\n[mcp.servers.files]\n');
  expect(text).toContain('env = [ "REGION" ]\n');
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("already, as [mcp.servers.files]") });
  expect(await world.read()).toBe(text);
  expect(JSON.parse(first.stdout)).toMatchObject({
    added: [{ name: "web", todo: ["sign in: incipit mcp login web"] }],
  });
  // The first-run default of workspace tools is written to the new file.
  expect(await fresh.read()).toEndWith(
    '\n[tools]\nworkspace = true\n\n[mcp.servers.web]\nurl = "https://mcp.acme.dev/mcp"\noauth = true\n',
  );
  expect((await stat(fresh.config)).mode & 0o777).toBe(0o600);
});

test("mcp add rejects a configuration that a host would not start with", async () => {
  await using world = await newWorld('model = "offline/echo"\n');
  await using inline = await newWorld("mcp = { servers = {} }\n");

  const refused = [
    await world.run("mcp", "add", "a__b", "--", "npx"),
    await world.run("mcp", "add", "files", "--", "bin/server"),
    await inline.run("mcp", "add", "files", "--", "npx"),
  ];
  const misused = [
    await world.run("mcp", "add", "files"),
    await world.run("mcp", "add", "files", "https://a.example", "more"),
    await world.run("mcp", "add", "files", "https://a.example", "--env", "A"),
    await world.run("mcp", "add", "files", "--oauth", "--", "npx"),
    await world.run("mcp", "import"),
  ];

  expect(refused.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1]);
  expect(refused[0]?.stderr).toContain("at most 32 letters");
  expect(refused[1]?.stderr).toContain("a program, looked for in PATH");
  expect(refused[2]?.stderr).toContain("the configuration would be wrong");
  expect(misused.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2, 2]);
  expect(await world.read()).toBe('model = "offline/echo"\n');
  expect(await inline.read()).toBe("mcp = { servers = {} }\n");
});

test("mcp import converts other hosts' servers, replaces secrets with variables, and lists the rest", async () => {
  await using world = await newWorld('model = "offline/echo"\n');
  const mcpServers = {
    files: { command: process.execPath, args: [fixtureServer, ...server] },
    "git hub": {
      command: "npx",
      args: ["-y", "server-github", "${workspaceFolder}"],
      env: { GITHUB_TOKEN: "${GITHUB_TOKEN}", LEVEL: "secret-1", OTHER: "${env:ANOTHER}" },
    },
    web: {
      type: "http",
      url: "https://mcp.acme.dev/mcp",
      headers: { Authorization: "Bearer secret-2", "x-team": "${TEAM}" },
    },
    off: { command: "npx", disabled: true },
    asks: { command: "npx", args: ["${input:key}"] },
    odd: { command: 7 },
    loose: { command: "./bin/server" },
    old: { type: "sse", url: "https://mcp.acme.dev/sse" },
    more: { command: "npx", args: [7], env: { A: null, B: 8 }, cwd: null, timeout: 9, alwaysAllow: ["x"] },
  };
  await Bun.write(join(world.work, ".mcp.json"), `// As editors write it\n${JSON.stringify({ mcpServers })}`);

  const imported = await world.run("mcp", "import", ".mcp.json");
  const text = await world.read();
  const tested = await world.run("mcp", "test", "files");
  const again = await world.run("mcp", "import", ".mcp.json", "files");

  expect(imported).toMatchObject({ exitCode: 1, stdout: "files\ngit-hub\nweb\nold\nmore\n" });
  expect(text).toContain('args = [ "-y", "server-github", "$cwd" ]\nenv = [ "GITHUB_TOKEN", "LEVEL", "OTHER" ]\n');
  expect(text).toContain('token_env = "WEB_TOKEN"\n');
  expect(text).toContain('x-team = "TEAM"\n');
  expect(`${text}${imported.stdout}${imported.stderr}`).not.toContain("secret-");
  for (const said of [
    "set LEVEL in the environment of the host to the value that it has there",
    "set OTHER in the environment of the host to what ANOTHER has",
    'set WEB_TOKEN in the environment of the host to the value of "Authorization" there',
    '"off" is turned off there',
    '"asks" has ${input:key} in its arguments',
    '"odd" has another shape',
    '"loose" was not written',
    'not taken over: "timeout", "alwaysAllow"',
    "the old HTTP+SSE transport",
  ])
    expect(imported.stderr).toContain(said);
  expect(tested.exitCode).toBe(0);
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("already") });
});

test("mcp import reads VS Code, opencode and codex files, and follows a configuration link", async () => {
  await using world = await newWorld();
  const linked = join(world.home, "dotfiles.toml");
  await Bun.write(linked, 'model = "offline/echo"\n');
  await mkdir(join(world.home, ".config/incipit"), { recursive: true });
  await symlink(linked, world.config);
  const files = {
    "vscode.json": JSON.stringify({ servers: { code: { command: "npx" } }, inputs: [] }),
    "opencode.json": JSON.stringify({
      mcp: { open: { type: "local", command: ["npx", "-y", "x"], enabled: true } },
    }),
    "codex.toml": '[mcp_servers.codex]\nurl = "https://a.example/mcp"\nbearer_token_env_var = "CODEX_TOKEN"\n',
    "none.json": "{}",
    "text.json": "no JSON",
  };
  for (const [name, text] of Object.entries(files)) await Bun.write(join(world.work, name), text);

  const results = new Map<string, CommandResult>();
  for (const name of Object.keys(files)) results.set(name, await world.run("mcp", "import", name));
  const unknown = await world.run("mcp", "import", "vscode.json", "coda");

  expect([...results.values()].map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 1, 1]);
  expect(await world.read()).toBe(
    `model = "offline/echo"\n\n[mcp.servers.code]\ncommand = "npx"\n\n[mcp.servers.open]\ncommand = "npx"\nargs = [ "-y", "x" ]\n\n[mcp.servers.codex]\nurl = "https://a.example/mcp"\ntoken_env = "CODEX_TOKEN"\n`,
  );
  expect((await lstat(world.config)).isSymbolicLink()).toBe(true);
  expect(results.get("none.json")?.stderr).toContain("names no MCP servers");
  expect(results.get("text.json")?.stderr).toContain("neither JSON nor");
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no server "coda"; it has code') });
});
