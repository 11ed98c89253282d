import { methods, type McpServer } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { chosen, type AcpProcess } from "./acp-process.ts";
import { createAcpWorld, messagesOf, type AcpWorld } from "./acp-world.ts";
import { startHttpMcpServer } from "./http-mcp-server.ts";
import { everythingServer, fixtureServer } from "../support/mcp-programs.ts";

const secret = "planted-4f9Kp2qLm7Zx";
const key = "planted-8sT3vWq1Yb6n";

const toolsSchema = z.looseObject({
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});

function toolsOf(body: string | undefined): readonly string[] {
  return (toolsSchema.parse(JSON.parse(body ?? "{}")).tools ?? []).map((tool) => tool.function.name);
}

function pidFile({ cwd }: AcpWorld): string {
  return join(cwd, "pids");
}

function passed(world: AcpWorld, name = "notes"): McpServer {
  const args = [fixtureServer, "plain", pidFile(world)];
  return { name, command: process.execPath, args, env: [{ name: "ACME_SECRET", value: secret }] };
}

async function open(editor: AcpProcess, cwd: string, mcpServers: McpServer[]): Promise<string> {
  return (await editor.agent.request(methods.agent.session.new, { cwd, mcpServers })).sessionId;
}

async function pids(world: AcpWorld): Promise<readonly number[]> {
  const text = await Bun.file(pidFile(world))
    .text()
    .catch(() => "");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [Number(line)]));
}

async function ended(pid: number | undefined): Promise<void> {
  for (;;) {
    const stat = await Bun.file(`/proc/${pid}/stat`)
      .text()
      .catch(() => "");
    if (stat === "" || /\) Z /.test(stat)) return;
  }
}

const call = { id: "call-1", name: "notes__write", arguments: JSON.stringify({ text: "Hi" }) };

test("[passed-servers] tools of an editor's server exist only in its session and need approval", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const editor = await world.editor();
  const session = await open(editor, world.cwd, [passed(world)]);
  const other = await editor.newSession(world.cwd);
  editor.answer = () => chosen("allow");
  world.model.enqueue(
    { kind: "tool-calls", calls: [call] },
    { kind: "text", chunks: ["Written."] },
    { kind: "text", chunks: ["Nothing."] },
  );

  await editor.prompt(session, "Write it");
  await editor.prompt(other, "And here?");

  const [first, second, third] = world.model.requests.map(({ body }) => body);
  expect(editor.introduction.agentCapabilities?.mcpCapabilities).toMatchObject({ http: true, sse: false });
  expect(toolsOf(first)).toEqual(["notes__echo", "notes__write"]);
  expect(toolsOf(third)).toEqual([]);
  expect(editor.asked).toMatchObject([{ sessionId: session, toolCall: { toolCallId: "call-1" } }]);
  expect(messagesOf(second).at(-1)).toMatchObject({
    role: "tool",
    text: expect.stringContaining('write {"text":"Hi"}'),
  });
  const listed = await host.json(`/conversations/${session}/tool-servers`);
  expect(listed).toMatchObject({ servers: [{ name: "notes", state: "running", target: process.execPath }] });
  expect(await host.json(`/conversations/${other}/tool-servers`)).toEqual({ servers: [] });
});

test("a passed server's instructions are in the prompt, and its progress reaches the editor", async () => {
  await using world = await createAcpWorld();
  await using _host = await world.host();
  const editor = await world.editor();
  const server = { name: "all", command: process.execPath, args: [everythingServer, "stdio"], env: [] };
  const session = await open(editor, world.cwd, [server]);
  const name = "all__trigger-long-running-operation";
  const input = JSON.stringify({ duration: 0.2, steps: 4 });
  world.model.enqueue({ kind: "tool-calls", calls: [{ id: "call-1", name, arguments: input }] });

  await editor.prompt(session, "Take your time");

  expect(messagesOf(world.model.requests[0]?.body)[0]?.text).toContain("# MCP servers\n\n");
  expect(editor.updatesOf(session, "tool_call_update")).toMatchObject([
    { toolCallId: "call-1", title: expect.any(String) },
    { toolCallId: "call-1", status: "in_progress" },
    { toolCallId: "call-1", content: [{ content: { type: "text", text: "1 of 4" } }] },
    { status: "completed", content: [{ content: { text: expect.stringContaining("operation completed") } }] },
  ]);
});

test("[passed-servers] a server ends when its editor is killed, closes the session, or leaves", async () => {
  await using world = await createAcpWorld();
  await using _host = await world.host();
  const running = async (
    editor: AcpProcess,
  ): Promise<{ readonly session: string; readonly pid: number | undefined }> => {
    const session = await open(editor, world.cwd, [passed(world)]);
    world.model.enqueue({ kind: "text", chunks: ["Hi."] });
    await editor.prompt(session, "Hi");
    const pid = (await pids(world)).at(-1);
    expect(() => process.kill(pid ?? 0, 0)).not.toThrow();
    return { session, pid };
  };

  const killed = await world.editor();
  const first = await running(killed);
  await killed.kill("SIGKILL");
  await ended(first.pid);
  const left = await world.editor();
  const second = await running(left);
  await left.agent.request(methods.agent.session.close, { sessionId: second.session });
  await ended(second.pid);
  const third = await running(left);
  await left.leave();
  await ended(third.pid);

  expect(new Set([first.pid, second.pid, third.pid]).size).toBe(3);
});

test("[passed-servers] servers end with a killed agent's in-process host", async () => {
  await using world = await createAcpWorld();
  const editor = await world.editor();
  const session = await open(editor, world.cwd, [passed(world)]);
  world.model.enqueue({ kind: "text", chunks: ["Hi."] });
  await editor.prompt(session, "Hi");
  const [pid] = await pids(world);
  expect(() => process.kill(pid ?? 0, 0)).not.toThrow();

  await editor.kill("SIGKILL");

  await ended(pid);
});

test("[passed-servers] start parameters of servers appear in no response, log, record, file or prompt", async () => {
  await using world = await createAcpWorld();
  await using web = startHttpMcpServer(`it was ${secret}`);
  const host = await world.host();
  const editor = await world.editor();
  const url = `${web.url}?key=${key}`;
  const http: McpServer = {
    type: "http",
    name: "web",
    url,
    headers: [{ name: "Authorization", value: `Bearer ${secret}` }],
  };
  const loud: McpServer = {
    name: "loud",
    command: process.execPath,
    args: ["-e", "console.error(`no ${process.env.ACME_SECRET}`); process.exit(3)"],
    env: [{ name: "ACME_SECRET", value: secret }],
  };
  const session = await open(editor, world.cwd, [passed(world), http, loud]);
  editor.answer = () => chosen("allow");
  const ask = { id: "call-2", name: "web__echo", arguments: "{}" };
  world.model.enqueue({ kind: "tool-calls", calls: [call, ask] }, { kind: "text", chunks: ["Done."] });

  await editor.prompt(session, "Write it");
  const paths = ["tool-servers", "tools", "explain", "messages", "steps"];
  const answers = await Promise.all(
    paths.map(async (path) => (await host.fetch(`/conversations/${session}/${path}`)).text()),
  );
  await editor.leave();
  const stderr = await editor.stderr();
  await host.kill("SIGTERM");
  const log = await host.stderr();

  const said = messagesOf(world.model.requests[1]?.body).map(({ text }) => text);
  expect(said.join("\n")).toContain('write {"text":"Hi"} [redacted:');
  expect(said.join("\n")).toMatch(/it was \[redacted:\S+ \?key=\[redacted:/);
  expect(new Set(web.credentials)).toEqual(new Set([`Bearer ${secret}`]));
  expect(stderr).toContain('The MCP server "loud" ended (exit code 3)');
  expect(log).toContain('The MCP server "loud" prints: no [redacted:');
  for (const text of [...answers, stderr, log, ...world.model.requests.map(({ body }) => body)])
    expect([text.includes(secret), text.includes(key)]).toEqual([false, false]);
  for (const name of await readdir(world.options.data, { recursive: true })) {
    const file = Bun.file(join(world.options.data, name));
    const text = await file.text().catch(() => "");
    expect([name, text.includes(secret), text.includes(key)]).toEqual([name, false, false]);
  }
});

test("[passed-servers] a session opens without servers that fail, are configured, or use sse", async () => {
  await using world = await createAcpWorld(`[mcp.servers.mine]\ncommand = "true"`);
  const editor = await world.editor();
  const absent: McpServer = { name: "absent", command: "/nowhere/server", args: [], env: [] };
  const old: McpServer = { type: "sse", name: "old", url: "http://127.0.0.1:9/", headers: [] };
  const loose: McpServer = { name: "loose", command: process.execPath, args: ["./server.ts"], env: [] };
  const session = await open(editor, world.cwd, [
    absent,
    old,
    loose,
    passed(world, "mine"),
    passed(world, "My notes!"),
  ]);
  world.model.enqueue({ kind: "text", chunks: ["Hi."] });

  await editor.prompt(session, "Hi");
  await editor.leave();

  expect(toolsOf(world.model.requests[0]?.body)).toEqual(["My-notes__echo", "My-notes__write"]);
  const stderr = await editor.stderr();
  expect(stderr).toContain('The MCP server "absent" did not start: the program "/nowhere/server" was not found');
  expect(stderr).toContain('The MCP server "old" was skipped: its type "sse" is not supported');
  expect(stderr).toContain('The MCP server "loose" was rejected: an argument begins with "./"');
  expect(stderr).toContain('The MCP server "mine" was rejected: a configured server has this name');
});

test.each([
  { name: "100 servers", servers: Array.from({ length: 100 }, (_, index) => `s${index}`), problem: "mcpServers" },
  { name: "one name twice", servers: ["a b", "a-b"], problem: "different names" },
  { name: "a name of nothing", servers: ["🎉"], problem: "mcpServers[0].name must have a letter or a digit" },
  { name: "a huge environment", servers: ["a"], value: "x".repeat(1_000_000), problem: "mcpServers[0].env.A" },
  { name: "a NUL", servers: ["a"], value: "a\0b", problem: "mcpServers[0].env.A must not hold a NUL" },
])("[passed-servers] $name are rejected with a reason, and no session is opened", async (given) => {
  await using world = await createAcpWorld();
  const editor = await world.editor();
  const servers = given.servers.map((name) => ({
    name,
    command: process.execPath,
    args: [],
    env: [{ name: "A", value: given.value ?? "planted-value" }],
  }));

  const refusal = await open(editor, world.cwd, servers).catch(String);

  expect(refusal).toContain("Invalid params");
  expect(refusal).toContain(given.problem);
  expect(refusal).not.toContain("planted-value");
  expect((await editor.agent.request(methods.agent.session.list, {})).sessions).toEqual([]);
});

test("[byte-prefix] a changed server list keeps the epoch's bytes, and calls report missing servers", async () => {
  await using world = await createAcpWorld();
  await using _host = await world.host();
  const first = await world.editor();
  const session = await open(first, world.cwd, [passed(world)]);
  world.model.enqueue({ kind: "text", chunks: ["Hi."] });
  await first.prompt(session, "Hi");
  await first.leave();
  const second = await world.editor();
  const late = passed(world, "late");
  await second.agent.request(methods.agent.session.load, {
    sessionId: session,
    cwd: world.cwd,
    mcpServers: [late],
  });
  world.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["Then not."] });

  await second.prompt(session, "Write it");

  const bodies = world.model.requests.map(({ body }) => body);
  expect(bodies.map(toolsOf)).toEqual(bodies.map(() => ["notes__echo", "notes__write"]));
  const lists = bodies.map((body) => JSON.stringify(toolsSchema.parse(JSON.parse(body)).tools));
  expect(new Set(lists).size).toBe(1);
  expect(messagesOf(bodies[2]).at(-1)?.text).toContain(
    'No connected client offers the MCP server "notes" to this conversation',
  );
  expect(second.asked).toEqual([]);

  await second.agent.request(methods.agent.session.load, {
    sessionId: session,
    cwd: world.cwd,
    mcpServers: [passed(world)],
  });
  second.answer = () => chosen("allow");
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ ...call, id: "call-9" }] },
    { kind: "text", chunks: ["Done."] },
  );
  await second.prompt(session, "Again");

  expect(messagesOf(world.model.requests.at(-1)?.body).at(-1)?.text).toContain('write {"text":"Hi"}');
});

test.each(["transport-http", "offered-tools"])(
  "[passed-servers] a swap of %s completes a pending call, and the next one finds the server",
  async (extension) => {
    await using world = await createAcpWorld();
    const host = await world.host();
    const editor = await world.editor();
    const go = join(world.cwd, "go");
    const args = [fixtureServer, "waits-in-calls", pidFile(world), go];
    const waiting: McpServer = { name: "notes", command: process.execPath, args, env: [] };
    const session = await open(editor, world.cwd, [waiting]);
    editor.answer = () => chosen("allow");
    world.model.enqueue(
      { kind: "tool-calls", calls: [call] },
      { kind: "text", chunks: ["Written."] },
      { kind: "tool-calls", calls: [{ ...call, id: "call-2" }] },
      { kind: "text", chunks: ["Again."] },
    );
    const answered = editor.prompt(session, "Write it");
    const called = async (): Promise<boolean> =>
      (
        await Bun.file(pidFile(world))
          .text()
          .catch(() => "")
      ).includes("\n\n");
    while (!(await called()));
    const [pid] = await pids(world);

    const swapped = host.fetch(`/extensions/${extension}/swap`, { method: "POST", body: {} });
    while ((await pids(world)).length < 2);
    await Bun.write(go, "");
    const { status } = await swapped;
    await answered;
    await ended(pid);
    await editor.prompt(session, "And again");

    expect(status).toBe(200);
    const results = [1, 3].map((request) => messagesOf(world.model.requests[request]?.body).at(-1)?.text);
    expect(results).toEqual(results.map(() => expect.stringContaining('write {"text":"Hi"}')));
  },
);

test("[passed-servers] a forked or resumed session uses the servers in its request", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const editor = await world.editor();
  const { cwd } = world;
  const sessionId = await editor.newSession(cwd);
  world.model.enqueue({ kind: "text", chunks: ["Hi."] });
  await editor.prompt(sessionId, "Hi");
  const names = async (id: string): Promise<unknown> =>
    z
      .object({ servers: z.array(z.looseObject({ name: z.string() })) })
      .parse(await host.json(`/conversations/${id}/tool-servers`))
      .servers.map(({ name }) => name);

  const fork = await editor.agent.request(methods.agent.session.fork, {
    sessionId,
    cwd,
    mcpServers: [passed(world)],
  });
  await editor.agent.request(methods.agent.session.resume, { sessionId, cwd, mcpServers: [passed(world, "two")] });

  expect([await names(fork.sessionId), await names(sessionId)]).toEqual([["notes"], ["two"]]);
  await editor.agent.request(methods.agent.session.resume, {
    sessionId,
    cwd,
    mcpServers: [passed(world, "three")],
  });
  expect(await names(sessionId)).toEqual(["three"]);
});

test("[passed-servers] the successor of a killed host is offered the servers again", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const editor = await world.editor();
  const session = await open(editor, world.cwd, [passed(world)]);
  world.model.enqueue({ kind: "text", chunks: ["Hi."] });
  await editor.prompt(session, "Hi");
  const [pid] = await pids(world);
  editor.answer = () => chosen("allow");

  await host.kill("SIGKILL");
  await ended(pid);
  while ((await pids(world)).length < 2);
  world.model.enqueue({ kind: "tool-calls", calls: [call] }, { kind: "text", chunks: ["Written."] });
  await editor.prompt(session, "Write it");

  expect(messagesOf(world.model.requests[2]?.body).at(-1)?.text).toContain('write {"text":"Hi"}');
});

test("[passed-servers] the newest of two editors in a session supplies the servers until it leaves", async () => {
  await using world = await createAcpWorld();
  const host = await world.host();
  const first = await world.editor();
  const second = await world.editor();
  const { cwd } = world;
  const sessionId = await open(first, cwd, [passed(world)]);
  const targets = async (): Promise<readonly string[]> =>
    z
      .object({ servers: z.array(z.looseObject({ target: z.string() })) })
      .parse(await host.json(`/conversations/${sessionId}/tool-servers`))
      .servers.map(({ target }) => target);
  const other: McpServer = { name: "notes", command: "/nowhere/server", args: [], env: [] };

  await second.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [other] });
  const both = await targets();
  await second.agent.request(methods.agent.session.close, { sessionId });
  while ((await targets())[0] === "/nowhere/server");

  expect(both).toEqual(["/nowhere/server"]);
  expect(await targets()).toEqual([process.execPath]);
});

test("[passed-servers] an agent can use a passed server by name, and only unknown names are reported", async () => {
  await using world = await createAcpWorld('[profiles.clerk]\nmcp_servers = ["notes", "gone"]');
  const host = await world.host();
  const editor = await world.editor();
  const sessionId = await open(editor, world.cwd, [passed(world)]);
  await editor.agent.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: "profile",
    value: "clerk",
  });

  const events = await host.turn(sessionId, { input: "File it" });

  expect(toolsOf(world.model.requests[0]?.body)).toEqual(["notes__echo", "notes__write"]);
  expect(events.find(({ type }) => type === "tools-resolve")).toMatchObject({
    problems: [`No MCP server is named "gone", though this conversation's agent has its tools`],
  });
});
