import { routes } from "@incipit/transport-contract";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { OverHttpServer } from "./over-http-server.ts";
import { runningWith } from "./running-with.ts";
import { ServersWorld, type CallOutcome } from "./servers-world.ts";
import { otherServers, type OtherServer } from "./servers.ts";

const timeoutMs = 300_000;

test(
  "servers from npm over stdio list tools, answer and fail calls, and restart after a kill",
  async () => {
    await using world = await ServersWorld.start(otherServers);
    const { client, servers } = world;
    const listed = await Promise.all(
      servers.map(({ name }) => client.call(routes.startToolServer, { params: { name } })),
    );
    const outcomes = [await world.callAll()];
    for (const { name, file } of servers) {
      const running = await runningWith(file, world.home);
      expect({ name, isRunning: running.length > 0 }).toEqual({ name, isRunning: true });
      for (const pid of running) process.kill(pid, "SIGKILL");
    }
    // A call that precedes the host's notice of the exit would fail with a reason.
    while ((await client.call(routes.listToolServers)).servers.some(({ state }) => state === "running"));
    outcomes.push(await world.callAll());

    for (const [index, { name, call, isUnlisted, prints }] of servers.entries()) {
      const { server } = listed[index] ?? {};
      const tools = server?.tools?.map((tool) => tool.name) ?? [];
      expect({ name, state: server?.state, hasTool: tools.includes(`${name}__${call.tool}`) }).toEqual({
        name,
        state: "running",
        hasTool: isUnlisted !== true,
      });
      if (isUnlisted === true) expect(server?.problems.join()).toContain("did not list its tools");
      else
        expect({ name, problems: server?.problems }).toEqual({
          name,
          problems: prints === undefined ? [] : [expect.stringContaining(prints)],
        });
    }
    for (const outcome of outcomes) expectAnswers(servers, outcome);
  },
  timeoutMs,
);

test(
  "servers from npm over HTTP work, also after a restart without their sessions",
  async () => {
    await using scope = new AsyncDisposableStack();
    const own = scope.use(await createTempFolder());
    const started: { readonly server: OtherServer; readonly over: OverHttpServer }[] = [];
    for (const server of otherServers(own.path))
      if (server.http !== undefined) started.push({ server, over: scope.use(await OverHttpServer.start(server)) });
    const servers = started.map(({ server }) => server);
    const urls = new Map(started.map(({ server: { name }, over }) => [name, over.url]));
    await using world = await ServersWorld.start(() => servers, urls);

    const outcomes = [await world.callAll()];
    for (const { over } of started) await over.restart();
    outcomes.push(await world.callAll());

    expect(servers.length).toBeGreaterThanOrEqual(7);
    for (const outcome of outcomes) expectAnswers(servers, outcome);
  },
  timeoutMs,
);

function expectAnswers(servers: readonly OtherServer[], outcomes: ReadonlyMap<string, CallOutcome>): void {
  for (const { name, answer, isError = false } of servers) {
    const outcome = outcomes.get(name);
    expect({ name, isError: outcome?.isError }).toEqual({ name, isError });
    expect(outcome?.text).toContain(answer);
  }
}
