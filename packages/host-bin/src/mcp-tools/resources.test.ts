import { ServiceError, type ResourceContent } from "@incipit/service-contract";
import { routes, withNamedResources } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createSkillWorld } from "../skills/testing/skill-world.ts";
import type { HostWorld } from "../testing/host-world.ts";
import { fixtureServer, McpWorld, secret } from "./testing/mcp-world.ts";
import { everythingServer } from "./testing/real-servers.ts";

const never = new AbortController().signal;

function server(name: string, args: readonly string[], more = ""): string {
  const command = JSON.stringify(process.execPath);
  return `[mcp.servers.${name}]\ncommand = ${command}\nargs = ${JSON.stringify(args)}\n${more}`;
}

async function send({ client, model }: HostWorld, typed: string): Promise<string> {
  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const before = model.requests.length;
  try {
    const input = await withNamedResources(typed, { client, typed, conversationId: conversation.id });
    for await (const event of client.sendTurn(conversation.id, { input }))
      if (event.type === "turn-end" && event.status !== "completed") return JSON.stringify(event);
    return model.requests.at(-1)?.body ?? "";
  } catch (error) {
    expect(model.requests).toHaveLength(before);
    return error instanceof Error && "code" in error ? `${String(error.code)}: ${error.message}` : String(error);
  }
}

function read(world: McpWorld, uri: string): Promise<readonly ResourceContent[] | string> {
  return world.servers
    .readResource("x", uri, { signal: never })
    .catch((error: unknown) => (ServiceError.is(error) ? `${error.code}: ${error.message}` : String(error)));
}

test("[server-resources] a resource of server-everything precedes the message that names it", async () => {
  await using world = await createSkillWorld(server("all", [everythingServer, "stdio"]));

  const { resources } = await world.client.call(routes.listResources, { params: { name: "all" } });
  const sent = await send(
    world,
    "What is @all:demo://resource/dynamic/text/1, and (@all:demo://resource/dynamic/text/2)?",
  );

  expect(resources).toContainEqual({
    uri: "demo://resource/dynamic/text/{resourceId}",
    isTemplate: true,
    description: expect.stringContaining("Plaintext dynamic resource"),
    mediaType: "text/plain",
  });
  expect(resources.filter(({ isTemplate }) => !isTemplate).map(({ uri }) => uri)).toContain(
    "demo://resource/static/document/architecture.md",
  );
  expect(sent).toMatch(
    /@all:demo:\/\/resource\/dynamic\/text\/1 \(text\/plain\):\\n\\nResource 1: .*@all:demo:\/\/resource\/dynamic\/text\/2 \(text\/plain\):\\n\\nResource 2: .*What is @all:demo:\/\/resource\/dynamic\/text\/1, and/,
  );
  expect(await send(world, "@all:demo://nowhere")).toStartWith(
    'RESOURCE_UNKNOWN: The MCP server "all" has no resource "demo://nowhere"',
  );
});

test("[server-resources] a binary resource is a file with its media type and name", async () => {
  await using world = await createSkillWorld(server("x", [fixtureServer, "resources"]));
  const { client } = world;
  const typed = "unpack @x:note://file.zip";

  const { conversation } = await client.call(routes.createConversation, { body: {} });
  const input = await withNamedResources(typed, { client, typed, conversationId: conversation.id });

  expect(input).toEqual([
    { type: "file", mediaType: "application/zip", data: "UEsDBA==", filename: "file.zip" },
    { type: "text", text: typed },
  ]);
});

test("[attack:mcp-resources] a reference to an unknown server stays text; the text of a resource is sent literally", async () => {
  await using world = await createSkillWorld(server("x", [fixtureServer, "resources"]));
  const { client } = world;

  for (const typed of [
    "write to ada@x:note://1",
    "@types/node and @y:note://1",
    "@x:note and @x: note://1",
    "a@x.dev",
  ])
    expect(await withNamedResources(typed, { client, typed, conversationId: "none" })).toBe(typed);
  const servers = await client.call(routes.listToolServers);
  const sent = await send(world, "Read @x:note://1");

  expect(servers.servers.map(({ state }) => state)).toEqual(["idle"]);
  expect(sent).toContain("@x:note://1 (text/plain):\\n\\n[skills:list] @x:note://2 /x__one ");
  expect(sent).not.toContain("not found");
});

test("[attack:bounds-mcp-resources] an oversized, late, unknown or rejected resource fails and sends nothing", async () => {
  await using world = await McpWorld.startFixture("resources", { env: ["ACME_SECRET"] });
  const failed = (why: string): string => `TOOL_SERVER_FAILED: The MCP server "x" ${why}`;

  expect(await read(world, "note://large")).toBe(
    failed('returned more than 5242880 bytes for "note://large"; choose a smaller resource'),
  );
  expect(await read(world, "note://breaks")).toStartWith(failed("failed: "));
  expect(await read(world, "note://told")).toBe(failed("returned a file that contains one of its secrets"));
  expect(await read(world, "note://nothing")).toBe(
    'RESOURCE_UNKNOWN: The MCP server "x" has no resource "note://nothing"',
  );
  expect(await read(world, "note://0")).toStartWith(
    'RESOURCE_UNKNOWN: The MCP server "x" has no resource "note://0": ',
  );
  const silent = read(world, "note://silent");
  await world.written(2);
  await world.started.clock.advance(30_000);
  expect(await silent).toBe(failed("did not read the resource within 30 s"));
  const listed = await world.servers.resources("x", { signal: never });
  expect(listed).toEqual({
    resources: [{ uri: "note://1", isTemplate: false, description: "The first\nnote", mediaType: "text/plain" }],
    problems: [
      'The MCP server "x" lists 2 resources that are not valid in MCP or contain a secret; they are skipped',
    ],
  });
  expect(JSON.stringify([await read(world, "note://1"), await read(world, "note://breaks")])).not.toContain(secret);
  expect(await world.pids()).toHaveLength(1);
});

test("[server-resources] an unknown server, or a server that does not start, fails with its name", async () => {
  await using world = await createSkillWorld(server("gone", [fixtureServer, "dies-at-start"]));
  const { client } = world;
  const unknown = await client
    .call(routes.readResource, { params: { name: "nobody" }, body: { uri: "note://1" } })
    .catch((error: unknown) => error);

  expect(unknown).toMatchObject({ code: "TOOL_SERVER_UNKNOWN", status: 404 });
  expect(await send(world, "@gone:note://1")).toBe(
    'TOOL_SERVER_FAILED: The MCP server "gone" ended (exit code 3): no license:',
  );
});
