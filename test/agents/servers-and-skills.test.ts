import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { agentFile, createAgentsWorld, type AgentsWorld } from "./agents-world.ts";
import { filesystemServer, mcpServer } from "../support/mcp-programs.ts";

const bodySchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
});

function newest({ model }: AgentsWorld): {
  readonly tools: readonly string[];
  readonly system: string;
  readonly last: string;
} {
  const { messages, tools } = bodySchema.parse(JSON.parse(model.requests.at(-1)?.body ?? "{}"));
  return {
    tools: tools.map((tool) => tool.function.name),
    system: messages.find(({ role }) => role === "system")?.content ?? "",
    last: messages.at(-1)?.content ?? "",
  };
}

async function writeSkill(world: AgentsWorld, name: string): Promise<void> {
  const keys = `name: ${name}\ndescription: For ${name} things`;
  await world.write(`.agents/skills/${name}/SKILL.md`, agentFile(keys, `All of ${name}.`));
  await world.trust(`.agents/skills/${name}/SKILL.md`);
}

test("an agent has only the tools of its servers, and no other server starts", async () => {
  await using world = await createAgentsWorld();
  await world.restart(
    ["files", "others"].map((name) => mcpServer(name, [filesystemServer, world.work])).join("\n"),
  );
  await world.write(".agents/clerk.md", agentFile("mcpServers: [files, gone]", "You file."));
  await world.trust(".agents/clerk.md");

  const id = await world.begin({ profile: "clerk" });
  const { events } = await world.turn(id, "hello");
  const { tools } = newest(world);
  const { servers } = await world.client.call(routes.listToolServers);
  await world.turn(await world.begin(), "hello");

  expect(new Set(tools.map((name) => name.split("__")[0]))).toEqual(new Set(["files"]));
  expect(servers.map(({ name, state }) => [name, state])).toEqual([
    ["files", "running"],
    ["others", "idle"],
  ]);
  expect(events.find(({ type }) => type === "tools-resolve")).toMatchObject({
    problems: [`No MCP server is named "gone", though this conversation's agent has its tools`],
  });
  const { conversation } = await world.client.call(routes.getConversation, { params: { id } });
  expect(conversation.mcpServers).toEqual(["files", "gone"]);
  expect(newest(world).tools).toContain("others__read_text_file");
});

test("an agent lists and opens only its own skills", async () => {
  await using world = await createAgentsWorld();
  for (const name of ["ant", "bee", "cat"]) await writeSkill(world, name);
  await world.write(".agents/keeper.md", agentFile("skills: [bee, gone]", "You keep bees."));
  await world.trust(".agents/keeper.md");
  const id = await world.begin({ profile: "keeper" });
  const open = (name: string): void =>
    world.model.enqueue({
      kind: "tool-calls",
      calls: [{ id: name, name: "skill", arguments: JSON.stringify({ name }) }],
    });

  open("ant");
  await world.turn(id, "open the ant");
  const { system, last: refused } = newest(world);
  open("bee");
  await world.turn(id, "open the bee");
  const { last: opened } = newest(world);

  expect(system).toContain("- bee: For bee things");
  expect(system).not.toMatch(/ant|cat/);
  expect(refused).toContain('There is no skill "ant"');
  expect(opened).toContain("All of bee.");
  const { explain } = await world.client.call(routes.explainConversation, { params: { id } });
  expect(explain?.segments).toContainEqual(
    expect.objectContaining({ id: "skills", detail: 'No skill is "gone", which this conversation may open' }),
  );
});

test("a changed skill list of an agent applies to later conversations, in prompt and tool", async () => {
  await using world = await createAgentsWorld();
  for (const name of ["ant", "bee"]) await writeSkill(world, name);
  const keep = async (skills: string): Promise<void> => {
    await world.write(".agents/keeper.md", agentFile(`skills: [${skills}]`, "You keep."));
    await world.trust(".agents/keeper.md");
  };
  await keep("bee");
  const id = await world.begin({ profile: "keeper" });
  await world.turn(id, "hello");
  await keep("ant");

  await world.client.call(routes.rebuildPrompt, { params: { id }, body: {} });
  await world.turn(id, "hello again");
  const { system: kept } = newest(world);
  await world.turn(await world.begin({ profile: "keeper" }), "hello");
  const { system: changed } = newest(world);
  const preview = await world.client.call(routes.previewSystemPrompt, { body: { profile: "keeper" } });

  expect([kept.includes("bee"), kept.includes("ant")]).toEqual([true, false]);
  expect([changed.includes("bee"), changed.includes("ant")]).toEqual([false, true]);
  expect(preview.systemPrompt).toBe(changed);
});

test("an agent with empty lists has neither skills nor servers", async () => {
  await using world = await createAgentsWorld({
    config: `[mcp.servers.files]\ncommand = "no-such-program"`,
  });
  await writeSkill(world, "ant");
  await world.write(".agents/bare.md", agentFile("skills: []\nmcpServers: []", "Bare."));
  await world.trust(".agents/bare.md");

  const { events } = await world.turn(await world.begin({ profile: "bare" }), "hello");

  expect(newest(world)).toMatchObject({ tools: [], system: "Bare." });
  expect(events.some(({ type }) => type === "tools-resolve")).toBe(false);
});
