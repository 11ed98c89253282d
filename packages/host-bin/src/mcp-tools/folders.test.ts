import { ServiceError, toolSourcesPoint } from "@incipit/service-contract";
import { answerText } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ended, fixtureServer, McpWorld } from "./testing/mcp-world.ts";

const never = new AbortController().signal;

function told(folder: string): string {
  return JSON.stringify({ roots: [{ uri: `file://${encodeURI(folder)}`, name: folder.slice(1) }] });
}

function callIn(world: McpWorld, cwd: string, name = "x__echo"): Promise<string> {
  return world.call(name, {}, never, cwd);
}

test("mcp-tools shares one program among all working folders and sends no roots without roots = true", async () => {
  await using world = await McpWorld.startFixture("asks-roots");

  for (const folder of ["/a", "/b", "/a"]) expect(await callIn(world, folder)).toContain("-32601");
  expect(await world.pids()).toHaveLength(1);
});

test("mcp-tools with roots = true runs one program per working folder and sends each its root", async () => {
  await using world = await McpWorld.startFixture("asks-roots", { roots: true });

  for (const folder of ["/a", "/b c", "/a"]) expect(await callIn(world, folder)).toBe(told(folder));
  expect(await world.pids()).toHaveLength(2);
});

test("mcp-tools runs one program per working folder for $cwd in arguments and cwd", async () => {
  await using scope = new AsyncDisposableStack();
  const named = scope.use(
    await McpWorld.start(({ pids }) => ({
      x: { command: process.execPath, args: [fixtureServer, "plain", pids, "$cwd/go"], cwd: "$cwd/sub" },
    })),
  );
  const folders = ["a", "b"].map((name) => join(named.folder.path, name));
  for (const folder of folders) {
    await mkdir(join(folder, "sub"), { recursive: true });
    await named.list(never, folder);
    await named.list(never, folder);
  }

  const pids = await named.pids();
  expect(pids).toHaveLength(2);
  for (const [index, pid] of pids.entries()) {
    expect(await Bun.file(`/proc/${pid}/cmdline`).text()).toContain(`${folders[index]}/go`);
    expect(await realpath(`/proc/${pid}/cwd`)).toBe(join(await realpath(folders[index] ?? ""), "sub"));
  }
});

test("mcp-tools starts nothing in an imported conversation's folder before a user approves a call", async () => {
  await using world = await McpWorld.startFixture("plain", { roots: true });
  const source = world.started.contribution(toolSourcesPoint);
  const asked = { conversationId: "c", cwd: "/strange", isImported: true, signal: never };

  const { tools } = await source.tools(asked);
  const looked = await source.tools({ ...asked, call: "x__echo" });
  expect(await world.pids()).toHaveLength(1);
  const [tool] = looked.tools;
  await tool?.execute({}, { conversationId: "c", cwd: "/strange", signal: never });

  expect(tools).toHaveLength(2);
  expect(await world.pids()).toHaveLength(2);
});

test("mcp-tools ends a folder's program after ten idle minutes and restarts it for the next call", async () => {
  await using world = await McpWorld.startFixture("waits-in-calls", { roots: true });
  const { clock } = world.started;
  const servers = world.servers;
  await world.list(never, "/a");
  const atWork = callIn(world, "/b");
  await world.written(3);
  const [a = 0, b = 0] = await world.pids();

  await clock.advance(600_000);
  await ended(a);
  expect(await servers.list()).toMatchObject([{ state: "running", tools: [{}, {}] }]);
  await world.go();
  expect(await atWork).toStartWith("echo ");
  await clock.advance(600_000);
  await ended(b);

  expect(await servers.list()).toMatchObject([{ state: "idle", error: null, tools: [{}, {}] }]);
  expect(await callIn(world, "/a")).toStartWith("echo ");
});

test("[attack:bounds-mcp-folders] mcp-tools limits one server to sixteen folders, ends idle programs first, then rejects with TOOL_SERVER_LIMIT", async () => {
  await using world = await McpWorld.startFixture("waits-in-calls", { roots: true });
  const tool = await world.tool("x__echo", "/0");
  const call = async (folder: string): Promise<string> =>
    answerText(await tool.execute({}, { conversationId: "c", cwd: folder, signal: never }));
  const atWork = Array.from({ length: 16 }, (_, index) => call(`/${index + 1}`));
  await world.written(17 + 16);

  const refused: unknown = await call("/17").catch((error: unknown) => error);
  const { problems } = await world.list(never, "/17");
  await world.go();

  expect(await Promise.all(atWork)).toHaveLength(16);
  expect(ServiceError.is(refused) && [refused.code, refused.message]).toEqual([
    "TOOL_SERVER_LIMIT",
    'The MCP server "x" already runs for 16 working folders, the maximum; try again when one is done',
  ]);
  expect(problems).toEqual([expect.stringContaining("already runs for 16")]);
  expect(await call("/17")).toStartWith("echo ");
});

test("[attack:bounds-mcp-roots] mcp-tools ends a program that requests roots in a loop", async () => {
  await using world = await McpWorld.startFixture("loops-roots", { roots: true });
  const servers = world.servers;

  await world.list();
  let [server] = await servers.list();
  while (server?.state !== "failed") {
    await Bun.sleep(5);
    [server] = await servers.list();
  }

  expect(server.error).toBe("asked for its working folder more than 100 times within 10 s");
  const [pid = 0] = await world.pids();
  await ended(pid);
});
