import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { agentFile, createAgentsWorld, type AgentsWorld } from "../agents/agents-world.ts";
import { everythingServer, fixtureServer, mcpServer } from "../support/mcp-programs.ts";

const bodySchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
});

function system({ model }: AgentsWorld): string {
  const { messages } = bodySchema.parse(JSON.parse(model.requests.at(-1)?.body ?? "{}"));
  return messages.find(({ role }) => role === "system")?.content ?? "";
}

async function startSaying(
  text: string,
): Promise<{ readonly world: AgentsWorld; readonly say: (text: string) => Promise<void> }> {
  const world = await createAgentsWorld();
  const file = join(world.home, "go");
  const say = async (said: string): Promise<void> => void (await Bun.write(`${file}.instructions`, said));
  await say(text);
  await world.restart(mcpServer("own", [fixtureServer, "instructs", "/dev/null", file]));
  return { world, say };
}

test("[sent-is-shown] instructions of MCP servers are in the first prompt, its preview and explain", async () => {
  await using world = await createAgentsWorld();
  await world.restart(
    mcpServer("all", [everythingServer, "stdio"]) +
      mcpServer("quiet", [everythingServer, "stdio"], "instructions = false"),
  );

  const before = await world.client.call(routes.previewSystemPrompt, { body: {} });
  const { servers: looked } = await world.client.call(routes.listToolServers);
  const id = await world.begin();
  await world.turn(id, "hello");
  const { systemPrompt: preview } = await world.client.call(routes.previewSystemPrompt, { body: {} });

  const told = system(world);
  expect(told).toContain("\n\n# MCP servers\n\n");
  expect(told).toContain("\n\n## all\n\n> ");
  expect(told).not.toContain("## quiet");
  expect(preview).toBe(told);
  expect(looked.map(({ state }) => state)).toEqual(["idle", "idle"]);
  expect(before.explain.segments).toContainEqual(
    expect.objectContaining({
      id: "mcp",
      kind: "nothing",
      detail: expect.stringContaining('"all" was not started yet'),
    }),
  );
  const { explain } = await world.client.call(routes.explainConversation, { params: { id } });
  expect(explain?.segments).toContainEqual(
    expect.objectContaining({ id: "mcp", extension: "mcp-tools", kind: "text", detail: null }),
  );
  const range = explain?.ranges.find(({ origin, name }) => origin === "segment" && name === "mcp");
  expect(told.slice(range?.start, range?.end)).toStartWith("# MCP servers");
  const { servers } = await world.client.call(routes.listToolServers);
  expect(servers.map(({ name, instructions }) => [name, instructions !== null])).toEqual([
    ["all", true],
    ["quiet", false],
  ]);
});

test("[resolved-once] changed instructions of an MCP server do not affect running conversations until a rebuild", async () => {
  const { world, say } = await startSaying("The first word, at [system:time].");
  await using _ = world;
  const id = await world.begin();
  await world.turn(id, "hello");
  const first = system(world);

  await say("The second word.");
  await world.client.call(routes.startToolServer, { params: { name: "own" } });
  await world.restart(mcpServer("own", [fixtureServer, "instructs", "/dev/null", join(world.home, "go")]));
  await world.turn(id, "hello again");
  const second = system(world);
  const drift = await world.client.call(routes.getDrift, { params: { id } });
  await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  await world.turn(id, "and again");

  expect(first).toEndWith("> The first word, at [system:time].");
  expect(second).toBe(first);
  expect(JSON.stringify(drift)).toContain("The second word.");
  expect(system(world)).toEndWith("> The second word.");
});

test("an agent gets no instructions of MCP servers without tools for it", async () => {
  const { world } = await startSaying("Use echo.");
  await using _ = world;
  const agents: Readonly<Record<string, string>> = {
    bare: "mcpServers: []",
    denied: "disallowedTools: [own__*]",
    other: "tools: [read_file]",
    has: "tools: [own__echo]",
  };
  const told: Record<string, boolean> = {};
  for (const [name, keys] of Object.entries(agents)) {
    await world.write(`.agents/${name}.md`, agentFile(keys, `You are ${name}.`));
    await world.trust(`.agents/${name}.md`);
    await world.turn(await world.begin({ profile: name }), "hello");
    const { systemPrompt } = await world.client.call(routes.previewSystemPrompt, { body: { profile: name } });
    expect(systemPrompt).toBe(system(world));
    told[name] = system(world).includes("> Use echo.");
  }
  await world.turn(await world.begin({ allowedTools: ["read_file"] }), "hello");
  const without = system(world);
  await world.client.call(routes.createChatCompletion, {
    body: { model: "local/test", messages: [{ role: "user", content: "hello" }] },
  });

  expect(told).toEqual({ bare: false, denied: false, other: false, has: true });
  expect(without).not.toContain("MCP servers");
  expect(system(world)).not.toContain("MCP servers");
});
