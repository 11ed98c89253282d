import type { TurnEvent } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, incipit, type HostProcessOptions } from "../support/host-process.ts";

const hostFolder = join(import.meta.dir, "../../packages/host-bin");
const filesystemServer = Bun.resolveSync("@modelcontextprotocol/server-filesystem/dist/index.js", hostFolder);
const everythingServer = Bun.resolveSync("@modelcontextprotocol/server-everything/dist/index.js", hostFolder);

interface World {
  readonly cwd: string;
  readonly model: Awaited<ReturnType<typeof startRecordingModelServer>>;
  readonly host: HostProcess;
  readonly options: HostProcessOptions;
  readonly home: string;
}

async function startWorld(
  scope: AsyncDisposableStack,
  servers: (cwd: string) => string,
  env: Readonly<Record<string, string>> = {},
): Promise<World> {
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer({ isStrict: true }));
  const cwd = join(await realpath(folder.path), "work");
  await Bun.write(join(cwd, "a.txt"), "in the file");
  const config = join(folder.path, "incipit.toml");
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\n${provider}${servers(cwd)}`);
  const options = { data: join(folder.path, "data"), config, cwd, env };
  const host = scope.use(await HostProcess.start(options));
  return { cwd, model, host, options, home: folder.path };
}

function server(name: string, command: string, args: readonly string[], more = ""): string {
  return `[mcp.servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n${more}`;
}

function toolCall(
  name: string,
  input: object,
): { readonly kind: "tool-calls"; readonly calls: readonly [ToolCall] } {
  return { kind: "tool-calls", calls: [{ id: `call-${name}`, name, arguments: JSON.stringify(input) }] };
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

async function turn({ host, cwd }: World, id?: string): Promise<readonly TurnEvent[]> {
  const client = createClient({ url: host.url, token: host.token });
  const conversationId = id ?? (await host.createConversation({ cwd })).id;
  const events: TurnEvent[] = [];
  for await (const event of client.sendTurn(conversationId, { input: "go" })) {
    events.push(event);
    if (event.type !== "approval-request") continue;
    const params = { id: conversationId, approvalId: event.approvalId };
    await client.call(routes.answerApproval, { params, body: { decision: "allow" } });
  }
  return events;
}

async function running(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await Bun.file(`/proc/${pid}/cmdline`)
      .text()
      .catch(() => "");
    if (line.includes(text)) found.push(pid);
  }
  return found;
}

test("a model reads through an MCP server directly, and writes after approval", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await startWorld(scope, (cwd) => server("files", process.execPath, [filesystemServer, cwd]));
  const { model, cwd } = world;
  model.enqueue(
    toolCall("files__read_text_file", { path: join(cwd, "a.txt") }),
    toolCall("files__write_file", { path: join(cwd, "b.txt"), content: "written" }),
    { kind: "text", chunks: ["Done."] },
  );

  const events = await turn(world);

  const asked = events.flatMap((event) => (event.type === "approval-request" ? [event.name] : []));
  expect(asked).toEqual(["files__write_file"]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(await Bun.file(join(cwd, "b.txt")).text()).toBe("written");
  expect(model.requests.map(({ body }) => body.includes("in the file"))).toEqual([false, true, true]);
});

test("[attack:asker-other-server] a lasting approval of an MCP server does not cover another command of its name", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await startWorld(scope, (cwd) => server("files", process.execPath, [filesystemServer, cwd]));
  const { model, cwd, options, home } = world;
  const { id } = await world.host.createConversation({ cwd });
  const write = async (host: HostProcess): Promise<readonly string[]> => {
    const client = createClient({ url: host.url, token: host.token });
    const input = { path: join(cwd, "b.txt"), content: "written" };
    model.enqueue(toolCall("files__write_file", input), { kind: "text", chunks: ["Done."] });
    const asked: string[] = [];
    for await (const event of client.sendTurn(id, { input: "go" })) {
      if (event.type !== "approval-request") continue;
      asked.push(event.name);
      const params = { id, approvalId: event.approvalId };
      await client.call(routes.answerApproval, { params, body: { decision: "allow-always" } });
    }
    return asked;
  };
  const asked = [await write(world.host), await write(world.host)];

  await world.host.kill("SIGTERM");
  const again = scope.use(await HostProcess.start(options));
  asked.push(await write(again));
  await again.kill("SIGTERM");
  const config = await Bun.file(options.config).text();
  await Bun.write(
    options.config,
    config.replace(JSON.stringify(cwd), `${JSON.stringify(cwd)}, ${JSON.stringify(home)}`),
  );
  const changed = scope.use(await HostProcess.start(options));
  asked.push(await write(changed));

  expect(asked).toEqual([["files__write_file"], [], [], ["files__write_file"]]);
});

test("[byte-prefix] an MCP server killed between turns is restarted, and requests keep their prefix", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await startWorld(scope, (cwd) => server("files", process.execPath, [filesystemServer, cwd]));
  const { model, cwd, host } = world;
  const { id } = await host.createConversation({ cwd });
  await turn(world, id);
  for (const pid of await running(`${filesystemServer}\u0000${cwd}`)) process.kill(Number(pid), "SIGKILL");
  const client = createClient({ url: host.url, token: host.token });
  // A call before the host has noticed would fail with the reason.
  while ((await client.call(routes.listToolServers)).servers.some(({ state }) => state === "running"));
  model.enqueue(toolCall("files__read_text_file", { path: join(cwd, "a.txt") }), {
    kind: "text",
    chunks: ["Done."],
  });

  const events = await turn(world, id);

  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ output: "in the file" });
  const bodies = model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(3);
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index] ?? "";
    expect(body).toStartWith(before.slice(0, before.lastIndexOf("]")));
  }
});

test("an MCP server that fails to start is reported, and the turn continues", async () => {
  await using scope = new AsyncDisposableStack();
  const world = await startWorld(
    scope,
    (cwd) => server("broken", "no-such-program", []) + server("files", process.execPath, [filesystemServer, cwd]),
  );

  const events = await turn(world);

  const resolved = events.find((event) => event.type === "tools-resolve");
  expect(resolved?.problems).toEqual([
    'The MCP server "broken" did not start: the program "no-such-program" was not found',
  ]);
  expect(resolved?.count).toBeGreaterThan(5);
  expect(events.at(-1)).toMatchObject({ status: "completed" });
});

test("incipit mcp lists the servers without starting one, and tests one by name", async () => {
  await using scope = new AsyncDisposableStack();
  const { options, cwd, home } = await startWorld(
    scope,
    (work) => server("broken", "no-such-program", []) + server("files", process.execPath, [filesystemServer, work]),
  );
  const mcp = (...words: readonly string[]): ReturnType<typeof incipit> =>
    incipit(["mcp", ...words, "--data", options.data, "--config", options.config], { cwd, home });

  const before = await mcp();
  const tested = await mcp("test", "files");
  const broken = await mcp("test", "broken");
  const unknown = await mcp("test", "nobody");

  expect(before.stdout).toMatch(/^broken +idle +no-such-program\nfiles +idle /);
  expect(tested).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('"files" runs, with ') });
  expect(tested.stdout).toMatch(/^files__read_text_file +runs without approval +\S/m);
  expect(broken).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining('the program "no-such-program" was not found'),
  });
  expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("nobody") });
});

const rpcSchema = z.object({ id: z.unknown().optional(), method: z.string() });

function serveTools(token: string): Bun.Server<undefined> {
  const results: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    [
      "initialize",
      {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "search", version: "1.0.0" },
      },
    ],
    [
      "tools/list",
      { tools: [{ name: "find", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }] },
    ],
    ["tools/call", { content: [{ type: "text", text: "found it" }] }],
  ]);
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (request.headers.get("authorization") !== `Bearer ${token}`) return new Response("Who?", { status: 401 });
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const { id, method } = rpcSchema.parse(await request.json());
      const result = results.get(method);
      return result === undefined
        ? new Response(null, { status: 202 })
        : Response.json({ jsonrpc: "2.0", id, result });
    },
  });
}

test("[granted-and-no-more] an MCP server at a URL receives only its own token, and another one none", async () => {
  const token = "planted-token-value";
  await using scope = new AsyncDisposableStack();
  const search = serveTools(token);
  scope.defer(() => search.stop(true));
  const url = `http://127.0.0.1:${search.port}/mcp`;
  const world = await startWorld(
    scope,
    () => `[mcp.servers.search]\nurl = "${url}"\ntoken_env = "ACME_TOKEN"\n[mcp.servers.open]\nurl = "${url}"\n`,
    { ACME_TOKEN: token },
  );
  world.model.enqueue(toolCall("search__find", {}), { kind: "text", chunks: ["Done."] });

  const events = await turn(world);
  await world.host.kill("SIGTERM");

  expect(events.find((event) => event.type === "tools-resolve")?.problems).toEqual([
    'The MCP server "open" answered with HTTP status 401; see that token_env names the variable with its token, or write oauth = true to sign in: Who?',
  ]);
  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ output: "found it" });
  expect((await world.host.stderr()) + JSON.stringify(events)).not.toContain(token);
});

test("[closed-by-default] a secret that an MCP server reveals reaches no log and no model", async () => {
  const secret = "planted-secret-value";
  await using scope = new AsyncDisposableStack();
  const world = await startWorld(
    scope,
    () => server("all", process.execPath, [everythingServer, "stdio"], 'env = ["ACME_SECRET"]\n'),
    { ACME_SECRET: secret, ACME_OTHER: "not for it" },
  );
  const { model, host } = world;
  model.enqueue(toolCall("all__get-env", {}), { kind: "text", chunks: ["Done."] });

  const events = await turn(world);
  await host.kill("SIGTERM");

  expect(JSON.stringify(events)).toContain("ACME_SECRET");
  const shown = [JSON.stringify(events), await host.stderr(), ...model.requests.map(({ body }) => body)].join("\n");
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain("ACME_OTHER");
});

test("the host ends MCP servers and their child processes when it ends", async () => {
  await using scope = new AsyncDisposableStack();
  const seconds = `1000.${crypto.getRandomValues(new Uint32Array(1)).join()}`;
  const start = (script: string, cwd: string): string =>
    server(`s${script.length}`, "sh", ["-c", script, "sh", process.execPath, filesystemServer, cwd]);
  const world = await startWorld(
    scope,
    (cwd) => start('"$@"; exit', cwd) + start(`sleep ${seconds} & exec "$@"`, cwd),
  );
  const own = `${filesystemServer}\u0000${world.cwd}`;
  await turn(world);
  const before = [await running(own), await running(seconds)];

  const exitCode = await world.host.kill("SIGTERM");

  expect(exitCode).toBe(0);
  expect(before.map((pids) => pids.length > 0)).toEqual([true, true]);
  expect([await running(own), await running(seconds)]).toEqual([[], []]);
});
