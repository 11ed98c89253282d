import { ServiceError, type ToolServer } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { McpWorld, secret } from "./testing/mcp-world.ts";

const never = new AbortController().signal;

async function only(world: McpWorld): Promise<ToolServer | undefined> {
  const [server] = await world.servers.list();
  return server;
}

test("[tool-servers-shown] list() starts no server; a started server lists its tools and their approval", async () => {
  await using world = await McpWorld.startFixture("plain", { tools: { echo: { approve: "deny" } } });

  const before = await only(world);
  const startedBefore = await world.pids();
  const started = await world.servers.start("x", { signal: never });

  expect(before).toMatchObject({ name: "x", state: "idle", error: null, tools: null });
  expect(startedBefore).toEqual([]);
  expect(started.state).toBe("running");
  expect(started.tools?.find(({ name }) => name === "x__echo")).toMatchObject({ approval: "deny" });
  expect(await only(world)).toEqual(started);
});

test("[tool-servers-shown] a server reports its skipped lines, with a count and a redacted sample", async () => {
  const printing = (code: string): Promise<McpWorld> =>
    McpWorld.start(() => ({ x: { command: process.execPath, args: ["-e", code], env: ["ACME_SECRET"] } }));
  await using noisy = await McpWorld.startFixture("noisy");
  await using quiet = await McpWorld.startFixture("plain");
  await using failing = await printing("console.log(`Usage: ${process.env.ACME_SECRET}`)");

  const problemsOf = async (world: McpWorld): Promise<readonly string[]> =>
    (await world.servers.start("x", { signal: never })).problems;

  expect(await problemsOf(noisy)).toEqual([
    "printed 12 lines that are not MCP messages to its standard output; the host skipped them, the first one: Listening…",
  ]);
  expect(await problemsOf(quiet)).toEqual([]);
  expect(await problemsOf(failing)).toEqual([
    "printed a line that is not an MCP message to its standard output; the host skipped it: Usage: [redacted:secret]",
  ]);
});

test("[tool-servers-shown] a server that does not start is failed, with a redacted reason", async () => {
  await using world = await McpWorld.start(() => ({
    x: {
      command: process.execPath,
      args: ["-e", "console.error(process.env.ACME_SECRET);process.exit(3)"],
      env: ["ACME_SECRET"],
    },
  }));

  const server = await world.servers.start("x", { signal: never });

  expect(server).toMatchObject({ state: "failed", tools: null });
  expect(server.error).toContain("ended");
  expect(JSON.stringify(server)).not.toContain(secret);
});

test("start() rejects a server that is not configured, by its name", async () => {
  await using world = await McpWorld.start(() => ({}));

  const refusal: unknown = await world.servers.start("nobody", { signal: never }).catch((error: unknown) => error);

  expect(ServiceError.is(refusal) && refusal.code).toBe("TOOL_SERVER_UNKNOWN");
  expect(await world.servers.list()).toEqual([]);
});
