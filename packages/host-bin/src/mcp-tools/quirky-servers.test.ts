import { mcpQuirks, mcpWires, startScriptedHttpServer, type McpQuirk, type McpWire } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { McpWorld } from "./testing/mcp-world.ts";

const program = Bun.resolveSync("@incipit/testkit/scripted-mcp-server", import.meta.dir);

for (const quirk of mcpQuirks)
  for (const wire of quirk.wires ?? mcpWires)
    test(`mcp-tools over ${wire} supports a server with the quirk ${quirk.id}`, async () => {
      const { tools = ["echo"], text = "done", says } = quirk.sees;
      await using scope = new AsyncDisposableStack();
      const world = await startWorld(quirk, wire, scope);

      const list = await world.list();
      const called = tools.includes("echo") ? await world.call("x__echo") : "";

      expect(list.tools.map(({ name }) => name)).toEqual(tools.map((name) => `x__${name}`));
      if (says === undefined) expect(list.problems).toEqual([]);
      else expect([...list.problems, called].join("\n")).toContain(says);
      if (text !== null) expect(called).toBe(text);
    });

async function startWorld({ script }: McpQuirk, wire: McpWire, scope: AsyncDisposableStack): Promise<McpWorld> {
  if (wire === "stdio")
    return scope.use(
      await McpWorld.start(() => ({
        x: { command: process.execPath, args: [program, JSON.stringify(script)] },
      })),
    );
  const server = scope.use(startScriptedHttpServer(script, wire));
  return scope.use(await McpWorld.start(() => ({ x: { url: server.url } })));
}
