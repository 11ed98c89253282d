import { defineExtension, type Extension } from "@incipit/kernel";
import type { ConversationId, ToolDefinition, TurnEvent } from "@incipit/schema";
import { toolSourcesPoint, type Tool } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { runCommand } from "./command/testing/run-command.ts";
import { collect, HostWorld, prefixOf } from "./testing/host-world.ts";

function tool(name: string, description: string, inputSchema: ToolDefinition["inputSchema"]): Tool {
  const execute = async (): Promise<string> => `${description} ran`;
  return { name, description, inputSchema, approval: "allow", execute };
}

class ChangingSource {
  tools: readonly Tool[] = [];
  failure: Error | undefined;
  readonly extension: Extension = defineExtension(
    { id: "acme.source", version: "1.0.0", api: "^1", contributes: ["tool-sources@1"] },
    (host) =>
      host.contribute(toolSourcesPoint, {
        id: "acme",
        tools: async () => {
          if (this.failure !== undefined) throw this.failure;
          return { tools: this.tools, problems: [] };
        },
      }),
  );
}

async function turn(
  { client, model }: HostWorld,
  id: ConversationId,
  calledTool?: string,
): Promise<readonly TurnEvent[]> {
  if (calledTool !== undefined) {
    const call = { id: `call-${model.requests.length}`, name: calledTool, arguments: '{"path": "."}' };
    model.enqueue({ kind: "tool-calls", calls: [call] });
  }
  return collect(client.sendTurn(id, { input: "go" })).ended;
}

function outcomeOf(events: readonly TurnEvent[]): string | undefined {
  const end = events.find((event) => event.type === "tool-call-end");
  return end?.error?.code ?? end?.output;
}

function expectPrefixes({ model }: HostWorld): void {
  const bodies = model.requests.map(({ body }) => body);
  for (const [index, body] of bodies.slice(1).entries())
    expect(body, `request ${index + 2}`).toStartWith(prefixOf(bodies[index]));
}

const bodySchema = z.object({
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

function toolNames(body: string | undefined): readonly string[] {
  return bodySchema.parse(JSON.parse(body ?? "")).tools.map((entry) => entry.function.name);
}

test("[byte-prefix] added, removed and reordered tools and schema keys change nothing within an epoch", async () => {
  const source = new ChangingSource();
  const before = { type: "object", properties: { b: { type: "string" }, a: { type: "number" } } };
  source.tools = [tool("z", "The z", before), tool("a", "The a", before)];
  await using world = await HostWorld.start({ extensions: () => [source.extension] });
  const { client } = world;
  const id = await world.createConversation();
  const { id: extensionId } = source.extension.manifest;

  expect(outcomeOf(await turn(world, id, "z"))).toBe("The z ran");
  source.tools = [
    tool("z", "Another z", { properties: { a: { type: "number" }, b: { type: "string" } }, type: "object" }),
    tool("new", "The new", before),
  ];
  expect(outcomeOf(await turn(world, id, "z"))).toBe("Another z ran");
  expect(outcomeOf(await turn(world, id, "a"))).toBe("TOOL_UNAVAILABLE");
  expect(outcomeOf(await turn(world, id, "new"))).toBe("TOOL_UNKNOWN");
  source.failure = new Error("The server died");
  expect(outcomeOf(await turn(world, id, "z"))).toBe("TOOL_UNAVAILABLE");
  await client.call(routes.unloadExtension, { params: { id: extensionId } });
  expect(outcomeOf(await turn(world, id, "z"))).toBe("TOOL_UNAVAILABLE");
  source.failure = undefined;
  await client.call(routes.loadExtension, { params: { id: extensionId } });
  await client.call(routes.swapExtension, { params: { id: extensionId }, body: {} });
  expect(outcomeOf(await turn(world, id, "z"))).toBe("Another z ran");

  expectPrefixes(world);
  expect(toolNames(world.model.requests.at(-1)?.body)).toEqual(["a", "z"]);
  const { steps } = await client.call(routes.listSteps, { params: { id }, query: { limit: 100 } });
  expect(new Set(steps.map(({ differenceReason }) => differenceReason))).toEqual(new Set(["first-step", null]));
});

test("a tool that another model's provider rejects is reported by the turn, explain and tools", async () => {
  const source = new ChangingSource();
  const properties = { $filter: { type: "string" } };
  source.tools = [
    tool("a", "The a", { type: "object" }),
    tool("query", "The query", { type: "object", properties }),
  ];
  await using world = await HostWorld.start({ extensions: () => [source.extension] });
  const { client } = world;
  const id = await world.createConversation();
  const params = { id };
  const first = await turn(world, id);
  const before = await client.call(routes.explainConversation, { params });
  await client.call(routes.updateConversation, { params, body: { model: "local/claude-opus-5" } });

  const switched = await turn(world, id);

  const problem = expect.stringMatching(/^The tool "query" is omitted for this model: .*\$filter/);
  expect(first.find(({ type }) => type === "tools-resolve")).toMatchObject({ count: 2, problems: [] });
  expect(switched.find(({ type }) => type === "tools-resolve")).toMatchObject({ count: 2, problems: [problem] });
  expect(world.model.requests.map(({ body }) => toolNames(body))).toEqual([["a", "query"], ["a"]]);
  expect(before.leftOutTools).toEqual([]);
  const { leftOutTools } = await client.call(routes.explainConversation, { params });
  expect(leftOutTools).toEqual([{ name: "query", reason: expect.stringContaining("$filter") }]);
  expect((await client.call(routes.getConversationTools, { params })).leftOut).toEqual(leftOutTools);
  const { stdout } = await runCommand(["conversations", "explain", id], { client });
  expect(stdout.trimEnd().split("\n").at(-1)).toEqual(problem);
});

test("[byte-prefix] reloading or swapping workspace-tools changes nothing until the next epoch", async () => {
  await using world = await HostWorld.start();
  const { client } = world;
  const params = { id: "workspace-tools" };
  await client.call(routes.loadExtension, { params });
  const id = await world.createConversation();
  const names = ["edit_file", "find_files", "list_folder", "read_file", "search", "shell", "write_file"];

  const first = await turn(world, id, "list_folder");
  await client.call(routes.unloadExtension, { params });
  expect(outcomeOf(await turn(world, id, "list_folder"))).toBe("TOOL_UNAVAILABLE");
  const without = await client.call(routes.getConversationTools, { params: { id } });
  await client.call(routes.loadExtension, { params });
  await client.call(routes.swapExtension, { params, body: {} });
  expect(outcomeOf(await turn(world, id, "list_folder"))).toBe(outcomeOf(first));

  expectPrefixes(world);
  expect(toolNames(world.model.requests.at(-1)?.body)).toEqual(names);
  expect(first.find(({ type }) => type === "tools-resolve")).toMatchObject({ count: 7, problems: [] });
  expect(without.tools.map(({ name, isAvailable }) => [name, isAvailable])).toEqual(
    names.map((name) => [name, false]),
  );
  expect(without.next).toEqual({ added: [], removed: names, changed: [], problems: [] });

  await client.call(routes.unloadExtension, { params });
  await client.call(routes.compactConversation, { params: { id } });
  await turn(world, id);
  await client.call(routes.loadExtension, { params });
  await turn(world, id);

  expect(world.model.requests.slice(-2).map(({ body }) => toolNames(body))).toEqual([[], []]);
});
