import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { createAgentsWorld } from "../agents/agents-world.ts";

const hostFolder = join(import.meta.dir, "../../packages/host-bin");
const everythingServer = Bun.resolveSync("@modelcontextprotocol/server-everything/dist/index.js", hostFolder);

const bodySchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })) });

test("progress of an MCP call reaches followers of the conversation, but no model", async () => {
  const command = `command = ${JSON.stringify(process.execPath)}`;
  const args = `args = ${JSON.stringify([everythingServer, "stdio"])}`;
  await using world = await createAgentsWorld({ config: `[mcp.servers.all]\n${command}\n${args}` });
  const input = JSON.stringify({ duration: 0.4, steps: 4 });
  const calls = [{ id: "call-1", name: "all__trigger-long-running-operation", arguments: input }];
  world.model.enqueue({ kind: "tool-calls", calls });

  const { events } = await world.turn(await world.begin(), "go");

  const about = { toolCallId: "call-1", name: "all__trigger-long-running-operation" };
  const types = events.map(({ type }) => type);
  expect(events.find(({ type }) => type === "tool-call-progress")).toMatchObject({
    ...about,
    progress: 1,
    total: 4,
  });
  expect(types.indexOf("tool-call-progress")).toBeGreaterThan(types.indexOf("tool-call-start"));
  expect(types.lastIndexOf("tool-call-progress")).toBeLessThan(types.indexOf("tool-call-end"));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + (events[0]?.seq ?? 0)));
  const { messages } = bodySchema.parse(JSON.parse(world.model.requests.at(-1)?.body ?? "{}"));
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  expect(messages.at(-1)?.content).toBe("Long running operation completed. Duration: 0.4 seconds, Steps: 4.");
});
