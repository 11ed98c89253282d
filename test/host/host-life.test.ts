import { numberProblems } from "@incipit/testkit";
import {
  errorResponseSchema,
  extensionsResponseSchema,
  healthResponseSchema,
  routes,
} from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { eventsUntil } from "../support/acknowledged.ts";
import { World } from "../support/world.ts";

const key = "sk-planted-secret-0123456789";

function startWorld(env: Readonly<Record<string, string>> = { TEST_KEY: key }): Promise<World> {
  return World.start({ config: 'providers.local.api_key_env = "TEST_KEY"', model: { isStrict: true }, env });
}

test("[never-lost] a turn cut off by SIGKILL is interrupted, keeps its message, and the conversation continues", async () => {
  await using world = await startWorld();
  world.model.enqueue({ kind: "never" });
  const killed = await world.host();
  const { id } = await killed.createConversation();
  await killed.send(id, "one");
  await world.model.waitForRequests(1);
  await killed.kill("SIGKILL");
  const host = await world.host();
  const second = await host.turn(id, { input: "two" });

  const { messages } = await host.client.call(routes.listMessages, { params: { id } });
  const events = await eventsUntil(host, id, 2);

  expect(second.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(messages.filter((message) => message.role === "user").map((message) => message.parts)).toEqual([
    [{ type: "text", text: "one" }],
    [{ type: "text", text: "two" }],
  ]);
  expect(events.filter((event) => event.type === "turn-end").map((event) => event.status)).toEqual([
    "interrupted",
    "completed",
  ]);
  expect(numberProblems(events)).toEqual([]);
}, 300_000);

test("[one-terminal-event] SIGTERM interrupts a running turn, ends its stream with turn-end, and exits with 0", async () => {
  await using world = await startWorld();
  world.model.enqueue({ kind: "never" });
  const host = await world.host();
  const { id } = await host.createConversation();
  const turn = host.turn(id, { input: "one" });
  await world.model.waitForRequests(1);

  const exitCode = await host.kill("SIGTERM");
  const events = await turn;

  expect(exitCode).toBe(0);
  expect(events.filter((event) => event.type === "turn-end")).toEqual([
    expect.objectContaining({ status: "interrupted" }),
  ]);
  expect(events.at(-1)?.type).toBe("turn-end");
}, 300_000);

test("[closed-by-default] all routes but health require the token, and reject foreign hosts and origins", async () => {
  await using world = await startWorld();
  const host = await world.host();

  const health = await fetch(`${host.url}/health`);
  const withoutToken = await fetch(`${host.url}/conversations`);
  const wrongToken = await host.fetch("/conversations", { headers: { authorization: "Bearer wrong" } });
  const foreignOrigin = await host.fetch("/health", { headers: { origin: "https://evil.example" } });
  const foreignHost = await host.fetch("/health", { headers: { host: "evil.example" } });

  expect(health.status).toBe(200);
  expect(withoutToken.status).toBe(401);
  expect(errorResponseSchema.parse(await withoutToken.json()).error.code).toBe("UNAUTHORIZED");
  expect(wrongToken.status).toBe(401);
  expect(foreignOrigin.status).toBe(403);
  expect(foreignHost.status).toBe(403);
}, 300_000);

test("[closed-by-default] the key is only in the request, in no record, event, error, log or file", async () => {
  await using world = await startWorld();
  world.model.enqueue({
    kind: "error",
    status: 401,
    body: JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } }),
  });
  const host = await world.host();
  const { id } = await host.createConversation();
  const events = await host.turn(id, { input: "one" });
  await host.turn(id, { input: "two" });
  const steps = JSON.stringify(await host.json(`/conversations/${id}/steps`));
  const requests: string[] = [];
  for (const [, stepId] of steps.matchAll(/"id":"([^"]+)"/g)) {
    requests.push(await (await host.fetch(`/conversations/${id}/steps/${stepId}/request`)).text());
  }
  await host.kill("SIGTERM");
  const files = await Promise.all(
    (await readdir(world.data)).map((name) => Bun.file(join(world.data, name)).text()),
  );

  expect(world.model.requests[0]?.headers["authorization"]).toBe(`Bearer ${key}`);
  expect(requests.length).toBeGreaterThan(0);
  for (const text of [JSON.stringify(events), steps, ...requests, ...files, await host.stderr()])
    expect(text).not.toContain(key);
  expect((await stat(join(world.data, "token"))).mode & 0o777).toBe(0o600);
}, 300_000);

test("[set-aside] a damaged data file is set aside and reported, not treated as empty", async () => {
  await using world = await startWorld();
  const damaged = await world.host();
  await damaged.turn((await damaged.createConversation()).id, { input: "one" });
  await damaged.kill("SIGTERM");
  const file = join(world.data, "incipit.db");
  const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
  bytes.fill(0x5a, 0, Math.min(bytes.length, 8_192));
  await Bun.write(file, bytes);

  const host = await world.host();
  const health = healthResponseSchema.parse(await host.json("/health"));

  expect(health.status).toBe("degraded");
  expect(health.problems.join()).toContain("damaged");
  const aside = (await readdir(world.data)).filter((name) => name.includes("damaged"));
  expect(aside).not.toEqual([]);
  expect(new Uint8Array(await Bun.file(join(world.data, aside.toSorted()[0] ?? "")).arrayBuffer())).toEqual(bytes);
}, 300_000);

test("[set-aside] a damaged record is kept unchanged and reported by health", async () => {
  await using world = await startWorld();
  const damaged = await world.host();
  const { id } = await damaged.createConversation();
  await damaged.kill("SIGTERM");
  const key = `conversation:${id}`;
  using database = new Database(join(world.data, "incipit.db"));
  database.query("UPDATE entries SET value = '{}' WHERE key = ?").run(key);

  const host = await world.host();
  const refused = await host.fetch(`/conversations/${id}`);
  const { status, problems } = healthResponseSchema.parse(await host.json("/health"));

  expect(errorResponseSchema.parse(await refused.json()).error.code).toBe("STORED_DATA_DAMAGED");
  expect([status, problems]).toEqual(["degraded", [expect.stringContaining(key)]]);
  expect(database.query("SELECT value FROM entries WHERE key = ?").values(key)).toEqual([["{}"]]);
}, 300_000);

test("serve: a second host on a data folder names the first and exits with 1", async () => {
  await using world = await startWorld();
  const host = await world.host();

  const second = await world.run(["serve", "--port", "0"]);

  expect(second.exitCode).toBe(1);
  expect(second.stderr).toContain(String(host.pid));
}, 300_000);

test("extensions: one is unloaded and loaded again in a running host", async () => {
  await using world = await startWorld();
  const host = await world.host();
  const phaseOf = async (id: string): Promise<string | undefined> => {
    const { extensions } = extensionsResponseSchema.parse(await host.json("/extensions"));
    return extensions.find((extension) => extension.id === id)?.phase;
  };

  expect(await phaseOf("system-prompt")).toBe("active");
  await host.json("/extensions/system-prompt/unload", { method: "POST" });
  expect(await phaseOf("system-prompt")).toBe("stopped");
  expect((await host.fetch("/system-prompt", { method: "PUT", body: { template: "x" } })).status).toBe(503);
  await host.json("/extensions/system-prompt/load", { method: "POST" });
  expect(await phaseOf("system-prompt")).toBe("active");
  expect((await host.fetch("/system-prompt", { method: "PUT", body: { template: "x" } })).status).toBe(200);
}, 300_000);

test("models: a missing key is reported before any call", async () => {
  await using world = await startWorld({});
  const host = await world.host();
  const { id } = await host.createConversation();

  const events = await host.turn(id, { input: "one" });

  expect(events.at(-1)).toMatchObject({
    type: "turn-end",
    status: "failed",
    error: { message: expect.stringContaining("TEST_KEY") },
  });
  expect(world.model.requests).toEqual([]);
}, 300_000);
