import { answerText, toolConformance } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { ended, fixtureServer, McpWorld, secret } from "./testing/mcp-world.ts";

toolConformance("of an MCP server", {
  takes: [{ text: "hi" }, {}],
  open: async (scope) => scope.use(await McpWorld.startFixture("plain")).tool("x__echo"),
  openStalled: async (scope) => scope.use(await McpWorld.startFixture("silent-in-calls")).tool("x__echo"),
  lacks: {
    "execute rejects what it does not take, with an error that says something":
      "the server judges its arguments, and this one takes everything",
  },
  deadlineMs: 20_000,
});

test("mcp-tools lists a server's tools sorted, with its descriptions and annotations", async () => {
  await using world = await McpWorld.startFixture("plain");

  const { tools, problems } = await world.list();

  expect(problems).toEqual([]);
  expect(tools).toMatchObject([
    { name: "x__echo", description: "Does echo", isReadOnly: true, inputSchema: { type: "object" } },
    { name: "x__write", description: "Does write", isReadOnly: false },
  ]);
  expect(tools.map(({ approval }) => approval)).toEqual([undefined, undefined]);
});

test("mcp-tools prefers configured approval, of the tool before that of the server", async () => {
  const approve = { approve: "ask", tools: { echo: { approve: "allow" }, gone: { approve: "allow" } } };
  await using world = await McpWorld.startFixture("plain", approve);

  const { tools, problems } = await world.list();

  expect(tools.map(({ name, approval }) => [name, approval])).toEqual([
    ["x__echo", "allow"],
    ["x__write", "ask"],
  ]);
  expect(problems).toEqual(['The MCP server "x" has no tool "gone", which "approve" in the configuration names']);
});

for (const [what, behaviour, settings, names, problems] of [
  ["hides a denied tool", "plain", { tools: { echo: { approve: "deny" } } }, ["x__write"], []],
  [
    "lists a tool that is allowed on a denied server",
    "plain",
    { approve: "deny", tools: { echo: { approve: "ask" } } },
    ["x__echo"],
    [],
  ],
  [
    "hides tools missing from enabled_tools",
    "plain",
    { enabled_tools: ["write", "gone"] },
    ["x__write"],
    ['The MCP server "x" has no tool "gone", which the configuration names'],
  ],
  ["reads all pages of a list", "pages", {}, ["x__on-page-1", "x__on-page-2", "x__on-page-3"], []],
  [
    "omits a tool whose description contains a secret of its server",
    "tells-secret",
    { env: ["ACME_SECRET"] },
    ["x__good"],
    ['The MCP server "x" describes 1 tools with one of its secrets; they are skipped'],
  ],
  [
    "reports a missing working folder by its path",
    "plain",
    { cwd: "/no/such/folder" },
    [],
    ['The MCP server "x" did not start: there is no folder "/no/such/folder"'],
  ],
  [
    "reports a missing program by its name",
    "plain",
    { command: "no-such-program" },
    [],
    ['The MCP server "x" did not start: the program "no-such-program" was not found'],
  ],
  [
    "reports the error of a server that throws at start, without its stack",
    "plain",
    { args: ["-e", 'throw new Error("TOKEN is required")'] },
    [],
    ['The MCP server "x" ended (exit code 1): error: TOKEN is required'],
  ],
] as const)
  test(`mcp-tools ${what}`, async () => {
    await using world = await McpWorld.startFixture(behaviour, settings);

    const list = await world.list();

    expect(list.tools.map(({ name }) => name)).toEqual([...names]);
    expect(list).toMatchObject({ problems, servers: ["x"] });
  });

test("mcp-tools cuts an endless list after 1,000 pages, and a long one after 10,000 tools", async () => {
  await using endless = await McpWorld.startFixture("endless-pages");
  await using long = await McpWorld.startFixture("many");

  const pages = await endless.list();
  const { tools, problems } = await long.list();

  expect(new Set(pages.tools.map(({ name }) => name)).size).toBe(1_000);
  expect(pages.problems).toEqual([expect.stringContaining("lists")]);
  expect([tools.length, tools[0]?.name, tools.at(-1)?.name]).toEqual([10_000, "x__tool-00000", "x__tool-09999"]);
  expect(problems).toEqual(['The MCP server "x" lists 10001 tools; only the first 10000 by name are used']);
});

test("mcp-tools starts a server lazily and once for concurrent callers", async () => {
  await using world = await McpWorld.startFixture("plain");
  expect(await world.pids()).toEqual([]);

  const answers = await Promise.all([world.list(), world.list(), world.call("x__echo"), world.list()]);

  expect(answers).toHaveLength(4);
  expect(await world.pids()).toHaveLength(1);
});

test("mcp-tools skips lines that are not MCP messages and logs the first", async () => {
  await using world = await McpWorld.startFixture("noisy");

  expect(await world.call("x__echo", { text: "a" })).toStartWith('echo {"text":"a"}');
  expect(await world.call("x__echo", { text: "b" })).toStartWith('echo {"text":"b"}');

  const said = world.started.logs.filter(({ message }) =>
    message.includes("printed something that is not an MCP message"),
  );
  expect(said.map(({ message }) => message)).toEqual([
    'The MCP server "x" printed something that is not an MCP message; it is skipped: Listening…',
  ]);
});

test("mcp-tools reports a server that exits at start and blocks it after three starts", async () => {
  await using world = await McpWorld.startFixture("dies-at-start");
  const problem = 'The MCP server "x" ended (exit code 3): no license:';

  for (let start = 0; start < 3; start += 1)
    expect(await world.list()).toEqual({ tools: [], problems: [problem], servers: ["x"] });
  const blocked = await world.list();
  await world.started.clock.advance(300_000);
  const later = await world.list();

  expect(blocked.problems).toEqual([
    'The MCP server "x" was started 3 times within 5 min and did not stay (it ended (exit code 3): no license:); it can be started again in 300 s',
  ]);
  expect(later.problems).toEqual([problem]);
  expect(await world.pids()).toHaveLength(4);
});

test("mcp-tools does not count a start when the server ran for a minute", async () => {
  await using world = await McpWorld.startFixture("plain");
  const { logs, clock } = world.started;

  for (let start = 1; start <= 4; start += 1) {
    expect((await world.list()).problems).toEqual([]);
    await clock.advance(60_000);
    process.kill((await world.pids()).at(-1) ?? 0, "SIGKILL");
    while (logs.filter(({ message }) => message.includes("ended (SIGKILL)")).length < start)
      await new Promise<void>((resolve) => setImmediate(resolve));
  }

  expect(await world.pids()).toHaveLength(4);
});

test("mcp-tools reports a server that exits during a call and restarts it for the next", async () => {
  await using world = await McpWorld.startFixture("dies-in-call");
  const died = 'error: Cannot call "x__echo". The MCP server "x" ended (exit code 7): out of luck';

  expect(await world.call("x__echo")).toBe(died);
  expect(await world.call("x__echo")).toBe(died);

  expect(await world.pids()).toHaveLength(2);
});

test("mcp-tools restarts a server that was killed while idle for the next call", async () => {
  await using world = await McpWorld.startFixture("plain");
  const tool = await world.tool("x__echo");
  const [pid = 0] = await world.pids();

  process.kill(pid, "SIGKILL");
  await ended(pid);
  const call = async (): Promise<string> =>
    answerText(await tool.execute({}, { conversationId: "c", cwd: "/", signal: new AbortController().signal }));
  const first = await call().catch((error: Error) => error.message); // The host may not have noticed the exit yet.
  const second = await call();

  expect(first).toMatch(/^echo \{\}|ended \(SIGKILL\)/);
  expect(second).toStartWith("echo {}");
});

test("mcp-tools aborts a call without an answer when the turn stops, and keeps the server running", async () => {
  await using world = await McpWorld.startFixture("silent-in-calls");
  const tool = await world.tool("x__echo");
  const stop = new AbortController();

  const call = Promise.resolve(tool.execute({}, { conversationId: "c", cwd: "/", signal: stop.signal })).catch(
    (error: unknown) => error,
  );
  stop.abort(new Error("stopped by the turn"));

  expect(await call).toMatchObject({ message: "stopped by the turn" });
  expect((await world.list()).tools).toHaveLength(2);
  expect(await world.pids()).toHaveLength(1);
});

for (const [behaviour, lines, what] of [
  ["silent", 1, "did not start within 30 s"],
  ["deaf", 1, "did not start within 30 s"],
  ["silent-in-lists", 2, "did not list its tools within 30 s"],
] as const) {
  test(`mcp-tools stops a server that does not answer before its deadline (${behaviour})`, async () => {
    await using world = await McpWorld.startFixture(behaviour);

    const asked = world.list();
    await world.written(lines);
    await world.started.clock.advance(30_000);

    expect(await asked).toEqual({ tools: [], problems: [`The MCP server "x" ${what}`], servers: ["x"] });
    for (const pid of await world.pids()) await ended(pid);
  });
}

test("mcp-tools lists available tools while another server is slow, and its tools later", async () => {
  await using world = await McpWorld.start(({ pids, go }) => ({
    fast: { command: process.execPath, args: [fixtureServer, "plain", "/dev/null"] },
    slow: { command: process.execPath, args: [fixtureServer, "slow", pids, go], start_timeout_seconds: 600 },
  }));
  while (!(await world.list(AbortSignal.timeout(200))).tools.some(({ name }) => name === "fast__echo"));

  const asked = world.list();
  await world.started.clock.advance(50_000);
  const without = await asked;
  await world.go();
  const all = await world.list();

  expect(without.tools.map(({ name }) => name)).toEqual(["fast__echo", "fast__write"]);
  expect(without.problems).toEqual(['The MCP server "slow" is still starting']);
  expect(all.tools.map(({ name }) => name)).toEqual(["fast__echo", "fast__write", "slow__echo", "slow__write"]);
  expect(await world.pids()).toHaveLength(1);
});

test("mcp-tools ends a server that sends a 1 GB result before it fills memory", async () => {
  await using world = await McpWorld.startFixture("huge");
  await world.list();
  Bun.gc(true);
  const before = process.memoryUsage.rss();

  const result = await world.call("x__echo");

  expect(result).toBe(
    'error: Cannot call "x__echo". The MCP server "x" sent a message of more than 16777216 bytes',
  );
  expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
  for (const pid of await world.pids()) await ended(pid);
});

test("mcp-tools ends a server that floods", async () => {
  await using world = await McpWorld.startFixture("floods");
  await world.list();
  const [pid = 0] = await world.pids();

  await ended(pid);

  expect(world.logs).toContain('The MCP server "x" sent more than 20000 messages within 10 s');
});

test("mcp-tools keeps the first of two tools with the same name", async () => {
  await using world = await McpWorld.startFixture("duplicates");

  const { tools, problems } = await world.list();

  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ["x__once", "Does once"],
    ["x__twice", "Does twice"],
  ]);
  expect(problems).toEqual(['The MCP server "x" lists more than one tool "twice"; the first counts']);
});

test("mcp-tools maps invalid names to names that all vendors accept, and calls the original tool", async () => {
  await using world = await McpWorld.startFixture("odd-names");

  const { tools } = await world.list();
  const results = await Promise.all(tools.map(({ name }) => world.call(name)));

  for (const { name } of tools) expect(name).toMatch(/^x__[A-Za-z0-9_-]{1,61}$/);
  expect(tools.map(({ name }) => name)).toContain("x__a_b");
  expect(results.map((result) => result.split(" {}")[0])).toEqual(
    expect.arrayContaining(["a.b", "a_b", "grüße 🎉", "x".repeat(200), "../etc/passwd"]),
  );
});

test("mcp-tools skips tools that would invalidate a request and reports each", async () => {
  await using world = await McpWorld.startFixture("bad-schemas");

  const { tools, problems } = await world.list();

  // A tool without a schema has no arguments; an unknown type is removed from its schema.
  expect(tools.map(({ name }) => name)).toEqual(["x__good", "x__none", "x__type"]);
  const named = problems.map((problem) => /a tool "(\w+)"/.exec(problem)?.[1]);
  expect(named).toEqual([undefined, "deep", "large", "list", "text"]);
});

test("mcp-tools updates the list after list_changed and still calls removed tools", async () => {
  await using world = await McpWorld.startFixture("changes");
  const old = await world.tool("x__old");

  await world.call("x__change");
  const { tools } = await world.list();

  expect(tools.map(({ name }) => name)).toEqual(["x__echo", "x__new"]);
  const call = { conversationId: "c", cwd: "/", signal: new AbortController().signal };
  expect(await old.execute({}, call)).toStartWith("old {}");
  expect(await world.pids()).toHaveLength(1);
});

test("[attack:mcp-asks-back] mcp-tools rejects server requests as unknown methods, except roots and elicitation", async () => {
  await using world = await McpWorld.startFixture("asks");
  await using told = await McpWorld.startFixture("asks", { roots: true });
  await using modern = await McpWorld.startFixture("modern");

  const cancelled = '{"action":"cancel"}';
  expect(await world.call("x__echo")).toBe(`the client said -32601, ${cancelled}, -32601`);
  const roots = '{"roots":[{"uri":"file:///","name":"/"}]}';
  expect(await told.call("x__echo")).toBe(`the client said -32601, ${cancelled}, ${roots}`);
  // The newer protocol asks in place of a result.
  expect(await modern.call("x__write")).toBe(`{"elicit":${cancelled}}`);
  expect(await modern.call("x__echo")).toBe("modern");
  const [older = 0, newer] = await modern.pids();
  expect(newer).toBeDefined();
  await ended(older); // It supports only the newer handshake, so the host has started it again.
});

test("mcp-tools sends only objects as arguments, and accepts a result whose content is not a list", async () => {
  await using world = await McpWorld.startFixture("malformed");

  for (const input of [null, "text", [], 1])
    expect(await world.call("x__echo", input)).toBe(
      'error: Cannot call "x__echo": its arguments are no JSON object',
    );
  expect(await world.call("x__echo")).toBe("no list");
  expect((await world.list()).tools).toHaveLength(2);
  expect(await world.pids()).toHaveLength(1);
});

test("mcp-tools logs a bounded part of a server's stderr", async () => {
  await using world = await McpWorld.startFixture("chatty");
  await world.call("x__echo");

  const lines = world.started.logs.filter(({ message }) => message.startsWith('The MCP server "x" prints'));

  expect(lines.length).toBe(101);
  expect(Math.max(...lines.map(({ message }) => message.length))).toBeLessThan(600);
  expect(lines.at(-1)?.message).toBe('The MCP server "x" prints more than 100 lines; the rest is dropped');
});

test("[closed-by-default] mcp-tools redacts a server's secret in logs, problems, errors and results", async () => {
  const shown: string[] = [];
  for (const behaviour of ["plain", "dies-at-start"]) {
    await using world = await McpWorld.startFixture(behaviour, { env: ["ACME_SECRET"] });
    const { problems } = await world.list();
    const result = behaviour === "plain" ? await world.call("x__echo") : "";
    shown.push(result, world.logs, ...problems);
  }

  expect(shown.join("\n")).not.toContain(secret);
  expect(shown.join("\n").match(/\[redacted:secret\]/g)?.length).toBeGreaterThan(2); // Control.
});

test("mcp-tools omits pictures that contain a secret of the server and keeps others unchanged", async () => {
  await using world = await McpWorld.startFixture("pictures", { env: ["ACME_SECRET"] });
  const tool = await world.tool("x__echo");

  const answer = await tool.execute({}, { conversationId: "c", cwd: "/", signal: new AbortController().signal });

  expect(answer).toEqual({
    text: "[image image/png, 8 bytes]\n[image image/png, 36 bytes]\n[files with a secret of the server (1) are left out]",
    files: [{ mediaType: "image/png", data: "iVBORw0KGgo=" }],
  });
});

test("mcp-tools passes only configured variables to a server, and requires all of these", async () => {
  await using without = await McpWorld.startFixture("plain");
  await using missing = await McpWorld.startFixture("plain", { env: ["ACME_OTHER"] });

  expect(await without.call("x__echo")).toBe("echo {} ");
  expect((await missing.list()).problems).toEqual([
    'The MCP server "x" failed: the variable "ACME_OTHER" is not set',
  ]);
  expect(await missing.pids()).toEqual([]);
});

test("mcp-tools ends all its processes on unload, including wrapped and starting servers", async () => {
  const pids: number[] = [];
  {
    await using world = await McpWorld.start(({ pids: pidFile, go }) => ({
      wrapped: {
        command: "sh",
        args: ["-c", 'trap "" TERM; "$@" & "$@"; wait', "sh", process.execPath, fixtureServer, "deaf", pidFile, go],
      },
      starting: { command: process.execPath, args: [fixtureServer, "slow", pidFile, go] },
    }));
    void world.list();
    await world.written(3);
    pids.push(...(await world.pids()));
  }

  expect(pids).toHaveLength(3);
  for (const pid of pids) await ended(pid);
});

test("[swap-loses-nothing] mcp-tools completes a running call during a swap and restarts the server for the next", async () => {
  await using world = await McpWorld.startFixture("waits-in-calls");
  const { kernel } = world.started;
  const call = world.call("x__echo");
  await world.written(2);

  const swapping = kernel.swap("mcp-tools");
  await new Promise<void>((resolve) => setImmediate(resolve));
  await world.go();

  expect(await call).toStartWith("echo {}");
  expect(await swapping).toMatchObject({ outcome: "swapped", cut: 0 });
  expect(await world.call("x__echo")).toStartWith("echo {}");
  const [before = 0, after] = await world.pids();
  expect(after).toBeDefined();
  await ended(before);
});

test("mcp-tools fails a running call when the extension is unloaded", async () => {
  await using world = await McpWorld.startFixture("waits-in-calls");
  const call = world.call("x__echo");
  await world.written(2);

  await world.started.kernel.unload("mcp-tools");

  expect(await call).toBe('error: Cannot call "x__echo". The MCP server "x" was stopped');
  for (const pid of await world.pids()) await ended(pid);
});
