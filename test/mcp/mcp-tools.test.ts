import type { TurnEvent } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { HostProcess } from "../support/host-process.ts";
import { HostWorld } from "../support/host-world.ts";
import { filesystemServer, mcpServer } from "../support/mcp-programs.ts";

/** Its working folder has the file `a.txt`. */
async function startWorld(
  servers: (cwd: string) => string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly world: HostWorld; readonly host: HostProcess }> {
  const config = (_: unknown, folder: string): string => servers(join(folder, "work"));
  const world = await HostWorld.create({ isStrict: true, work: "work", config, env });
  await Bun.write(join(world.cwd, "a.txt"), "in the file");
  return { world, host: await world.start() };
}

function server(name: string, command: string, args: readonly string[], more = ""): string {
  return `[mcp.servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n${more}`;
}

const files = (cwd: string): string => mcpServer("files", [filesystemServer, cwd]);

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

async function turn(host: HostProcess, id?: string): Promise<readonly TurnEvent[]> {
  const client = createClient({ url: host.url, token: host.token });
  const conversationId = id ?? (await host.createConversation()).id;
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
  const { world, host } = await startWorld(files);
  await using _ = world;
  const { model, cwd } = world;
  model.enqueue(
    toolCall("files__read_text_file", { path: join(cwd, "a.txt") }),
    toolCall("files__write_file", { path: join(cwd, "b.txt"), content: "written" }),
    { kind: "text", chunks: ["Done."] },
  );

  const events = await turn(host);

  const asked = events.flatMap((event) => (event.type === "approval-request" ? [event.name] : []));
  expect(asked).toEqual(["files__write_file"]);
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(await Bun.file(join(cwd, "b.txt")).text()).toBe("written");
  expect(model.requests.map(({ body }) => body.includes("in the file"))).toEqual([false, true, true]);
});

test("[attack:asker-other-server] a lasting approval of an MCP server does not cover another command of its name", async () => {
  const { world, host } = await startWorld(files);
  await using _ = world;
  const { model, cwd, options, folder } = world;
  const { id } = await host.createConversation();
  const write = async ({ url, token }: HostProcess): Promise<readonly string[]> => {
    const client = createClient({ url, token });
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
  const asked = [await write(host), await write(host)];

  await host.kill("SIGTERM");
  const again = await world.start();
  asked.push(await write(again));
  await again.kill("SIGTERM");
  const config = await Bun.file(options.config).text();
  await Bun.write(
    options.config,
    config.replace(JSON.stringify(cwd), `${JSON.stringify(cwd)}, ${JSON.stringify(folder)}`),
  );
  const changed = await world.start();
  asked.push(await write(changed));

  expect(asked).toEqual([["files__write_file"], [], [], ["files__write_file"]]);
});

test("[byte-prefix] an MCP server killed between turns is restarted, and requests keep their prefix", async () => {
  const { world, host } = await startWorld(files);
  await using _ = world;
  const { model, cwd } = world;
  const { id } = await host.createConversation();
  await turn(host, id);
  for (const pid of await running(`${filesystemServer}\u0000${cwd}`)) process.kill(Number(pid), "SIGKILL");
  const client = createClient({ url: host.url, token: host.token });
  // A call before the host has noticed would fail with the reason.
  while ((await client.call(routes.listToolServers)).servers.some(({ state }) => state === "running"));
  model.enqueue(toolCall("files__read_text_file", { path: join(cwd, "a.txt") }), {
    kind: "text",
    chunks: ["Done."],
  });

  const events = await turn(host, id);

  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ output: "in the file" });
  const bodies = model.requests.map(({ body }) => body);
  expect(bodies).toHaveLength(3);
  for (const [index, body] of bodies.slice(1).entries()) {
    const before = bodies[index] ?? "";
    expect(body).toStartWith(before.slice(0, before.lastIndexOf("]")));
  }
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
  await using search = { server: serveTools(token), [Symbol.asyncDispose]: () => search.server.stop(true) };
  const url = `http://127.0.0.1:${search.server.port}/mcp`;
  const { world, host } = await startWorld(
    () => `[mcp.servers.search]\nurl = "${url}"\ntoken_env = "ACME_TOKEN"\n[mcp.servers.open]\nurl = "${url}"\n`,
    { ACME_TOKEN: token },
  );
  await using _ = world;
  world.model.enqueue(toolCall("search__find", {}), { kind: "text", chunks: ["Done."] });

  const events = await turn(host);
  await host.kill("SIGTERM");

  expect(events.find((event) => event.type === "tools-resolve")?.problems).toEqual([
    'The MCP server "open" answered with HTTP status 401; see that token_env names the variable with its token, or write oauth = true to sign in: Who?',
  ]);
  expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ output: "found it" });
  expect((await host.stderr()) + JSON.stringify(events)).not.toContain(token);
});

test("the host ends MCP servers and their child processes when it ends", async () => {
  const seconds = `1000.${crypto.getRandomValues(new Uint32Array(1)).join()}`;
  const start = (script: string, cwd: string): string =>
    server(`s${script.length}`, "sh", ["-c", script, "sh", process.execPath, filesystemServer, cwd]);
  const { world, host } = await startWorld(
    (cwd) => start('"$@"; exit', cwd) + start(`sleep ${seconds} & exec "$@"`, cwd),
  );
  await using _ = world;
  const own = `${filesystemServer}\u0000${world.cwd}`;
  await turn(host);
  const before = [await running(own), await running(seconds)];

  const exitCode = await host.kill("SIGTERM");

  expect(exitCode).toBe(0);
  expect(before.map((pids) => pids.length > 0)).toEqual([true, true]);
  expect([await running(own), await running(seconds)]).toEqual([[], []]);
});
