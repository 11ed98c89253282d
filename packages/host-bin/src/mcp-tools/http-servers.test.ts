import { expect, test } from "bun:test";
import type { JsonValue } from "@incipit/kernel";
import { mcpRefusalQuirks } from "@incipit/testkit";
import { endlessBody, startMcpHttpServer, textResult, type McpHttpServer } from "./testing/mcp-http-server.ts";
import { McpWorld, secret } from "./testing/mcp-world.ts";

function startWorld(
  { url }: Pick<McpHttpServer, "url">,
  settings: Readonly<Record<string, JsonValue>> = {},
): Promise<McpWorld> {
  return McpWorld.start(() => ({ x: { url, ...settings } }));
}

function json(id: unknown, text: string): Response {
  return Response.json({ jsonrpc: "2.0", id, result: textResult(text) });
}

test("mcp-tools over HTTP sends the configured token and headers, and deletes its session", async () => {
  await using server = startMcpHttpServer(({ id }) => json(id, "done"));
  {
    await using world = await startWorld(server, {
      token_env: "ACME_SECRET",
      headers_env: { "X-Team": "ACME_SECRET" },
    });

    expect(await world.call("x__echo")).toBe("done");
    expect(world.logs).not.toContain(secret);
  }

  expect(server.requests.map(({ headers }) => [headers["authorization"], headers["x-team"]])).toEqual(
    server.requests.map(() => [`Bearer ${secret}`, secret]),
  );
  expect(server.requests.map(({ method, rpc }) => rpc ?? method)).toEqual([
    "initialize",
    "notifications/initialized",
    "GET",
    "tools/list",
    "tools/call",
    "DELETE",
  ]);
});

for (const type of ["application/json", "text/event-stream"]) {
  test(`mcp-tools over HTTP aborts a 1 GB response of type ${type} before it fills memory`, async () => {
    await using server = startMcpHttpServer(
      () =>
        new Response(endlessBody(`data: ${"x".repeat(1024 * 1024)}\n`, 1024), {
          headers: { "content-type": type },
        }),
    );
    await using world = await startWorld(server);
    await world.list();
    Bun.gc(true);
    const before = process.memoryUsage.rss();

    const result = await world.call("x__echo");

    expect(result).toBe(
      'error: Cannot call "x__echo". The MCP server "x" sent a message of more than 16777216 bytes',
    );
    Bun.gc(true); // Freed memory does not count.
    expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
  });
}

for (const [what, answer, says] of [
  [
    "ends a stream that floods",
    () => {
      const event = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: {} })}\n\n`;
      const headers = { "content-type": "text/event-stream" };
      return new Response(endlessBody(event.repeat(100), 1_000_000), { headers });
    },
    "sent more than 20000 messages within 10 s",
  ],
  [
    "shortens the body of an error response",
    () => new Response("x".repeat(1_000_000), { status: 500 }),
    'The MCP server "x" answered with HTTP status 500: xxx',
  ],
] as const)
  test(`mcp-tools over HTTP ${what}`, async () => {
    await using server = startMcpHttpServer(answer);
    await using world = await startWorld(server);

    const result = await world.call("x__echo");

    expect(result).toContain(says);
    expect(result.length).toBeLessThan(700);
  });

test("mcp-tools over HTTP reports a truncated stream and reconnects for the next call", async () => {
  let calls = 0;
  await using server = startMcpHttpServer(({ id }) => {
    calls += 1;
    if (calls > 1) return json(id, "again");
    return new Response(": nothing\n\n", { headers: { "content-type": "text/event-stream" } });
  });
  await using world = await startWorld(server);

  expect(await world.call("x__echo")).toBe(
    'error: Cannot call "x__echo". The MCP server "x" ended the connection before it answered',
  );
  expect(await world.call("x__echo")).toBe("again");
  expect(server.requests.filter(({ rpc }) => rpc === "initialize")).toHaveLength(2);
});

for (const { id, does, status, body, says } of mcpRefusalQuirks)
  test(`mcp-tools over HTTP, quirk ${id}: ${does}`, async () => {
    const isForgotten = says === undefined;
    let isRefusing = false;
    await using server = startMcpHttpServer((message) => {
      isRefusing = !isRefusing;
      return isRefusing ? json(message.id, "done") : new Response(body, { status });
    });
    await using world = await startWorld(server);

    for (let call = 0; call < 6; call += 1) {
      const result = await world.call("x__echo");
      if (isForgotten || call % 2 === 0) expect(result).toBe("done");
      else for (const part of says ?? []) expect(result).toContain(part);
    }

    const begun = server.requests.filter(({ rpc }) => rpc === "initialize").length;
    expect(begun).toBe(isForgotten ? 6 : 1);
    expect((await world.list()).problems).toEqual([]);
  });

test("mcp-tools over HTTP repeats a call once in a new session after the server dropped all sessions", async () => {
  await using server = startMcpHttpServer(({ id }, sessions) => {
    sessions.clear();
    return json(id, "done");
  });
  await using world = await startWorld(server);

  for (let call = 0; call < 6; call += 1) expect(await world.call("x__echo")).toBe("done");

  expect(server.requests.filter(({ rpc }) => rpc === "initialize")).toHaveLength(6);
});

test("mcp-tools over HTTP fails a call when a new session is unknown too", async () => {
  await using server = startMcpHttpServer(() => new Response("No such session", { status: 404 }));
  await using world = await startWorld(server);

  for (let call = 0; call < 4; call += 1)
    expect(await world.call("x__echo")).toContain("answered with HTTP status 404: No such session");

  expect(server.requests.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(8);
});

test("mcp-tools over HTTP fails a request immediately when the response has no MCP message", async () => {
  const empty = [new Response(null, { status: 202 }), new Response(""), new Response("<html>Busy</html>")];
  await using server = startMcpHttpServer(() => empty.pop() ?? new Response(null, { status: 204 }));
  await using world = await startWorld(server);

  expect(await world.call("x__echo")).toContain('answered "tools/call" with a body that is not an MCP message');
  for (let call = 0; call < 3; call += 1)
    expect(await world.call("x__echo")).toContain('answered "tools/call" with HTTP status');
});

test("mcp-tools over HTTP detects JSON and events by content, not by content type", async () => {
  const bodies = [
    ["text/plain", (line: string) => line],
    ["text/plain", (line: string) => `data: ${line}\n\n`],
    ["text/event-stream", (line: string) => `data: ${line}`],
    ["text/event-stream", (line: string) => `event: response\r\ndata:${line}\r\n\r\n`],
    ["text/event-stream", (line: string) => line],
  ] as const;
  const left = [...bodies];
  await using server = startMcpHttpServer(({ id }) => {
    const [type, body] = left.shift() ?? bodies[0];
    const line = JSON.stringify({ jsonrpc: "2.0", id, result: textResult("done") });
    return new Response(body(line), { headers: { "content-type": type } });
  });
  await using world = await startWorld(server);

  for (const [type] of bodies) expect([type, await world.call("x__echo")]).toEqual([type, "done"]);
});

test("mcp-tools over HTTP detects the old HTTP+SSE transport and suggests the endpoint", async () => {
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ method }) =>
      method === "GET"
        ? new Response("event: endpoint\ndata: /messages\n\n", { headers: { "content-type": "text/event-stream" } })
        : new Response("Method Not Allowed", { status: 405 }),
  });
  await using world = await McpWorld.start(() => ({ x: { url: `http://127.0.0.1:${server.port}/sse` } }));

  const { problems } = await world.list();

  expect(problems).toHaveLength(1);
  expect(problems[0]).toStartWith(
    'The MCP server "x" answered with HTTP status 405; it may speak the old HTTP+SSE',
  );
});

test("mcp-tools over HTTP does not follow a redirect with a token to another origin", async () => {
  await using other = startMcpHttpServer(({ id }) => json(id, "stolen"));
  await using server = startMcpHttpServer(() => Response.redirect(other.url, 307));
  await using world = await startWorld(server, { token_env: "ACME_SECRET" });

  expect(await world.call("x__echo")).toStartWith("error: ");
  expect(other.requests).toEqual([]);
});

test("mcp-tools over HTTP aborts a call without an answer when the turn stops", async () => {
  const { promise: isCalled, resolve: called } = Promise.withResolvers<void>();
  await using server = startMcpHttpServer(() => {
    called();
    return new Promise<Response>(() => {});
  });
  await using world = await startWorld(server);
  const stop = new AbortController();

  const call = world.call("x__echo", {}, stop.signal);
  await isCalled;
  stop.abort(new Error("stopped by the turn"));

  expect(await call).toBe("error: stopped by the turn");
});

test("mcp-tools over HTTP reports an unreachable server", async () => {
  const server = startMcpHttpServer(({ id }) => json(id, "done"));
  await server[Symbol.asyncDispose]();
  await using world = await startWorld(server);

  const { tools, problems } = await world.list();

  expect(tools).toEqual([]);
  expect(problems).toEqual([expect.stringMatching(/^The MCP server "x" failed: /)]);
});

for (const [status, remedy] of [
  [404, '; see that "url" is the address of its MCP endpoint, often /mcp'],
  [502, ""],
] as const)
  test(`mcp-tools over HTTP shows only the title of an HTML page with status ${status}`, async () => {
    const page = "<!DOCTYPE html>\n<html><head><style>p {}</style><title>Gone\naway</title></head><p>x</p></html>";
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(page, { status, headers: { "content-type": "text/html" } }),
    });
    await using world = await startWorld({ url: server.url.href });

    const { problems } = await world.list();

    expect(problems).toEqual([
      `The MCP server "x" answered with HTTP status ${status}${remedy}: an HTML page with the title "Gone away"`,
    ]);
  });

test("mcp-tools over HTTP opens a new session after status 500, with which some servers answer an unknown one", async () => {
  let starts = 0;
  await using server = startMcpHttpServer(({ id }) => {
    starts = server.requests.filter(({ rpc }) => rpc === "initialize").length;
    return starts < 5
      ? new Response("Internal Server Error", { status: 500 })
      : Response.json({ jsonrpc: "2.0", id, result: textResult("done") });
  });
  await using world = await McpWorld.start(() => ({ x: { url: server.url } }));

  const answers: string[] = [];
  for (let call = 1; call <= 5; call += 1) answers.push(await world.call("x__echo"));

  expect(answers.slice(0, 4)).toEqual(answers.slice(0, 4).map(() => expect.stringContaining("HTTP status 500")));
  expect(answers[4]).toBe("done");
});
