import { expect, test } from "bun:test";
import * as z from "zod";
import { createAgentsWorld } from "../agents/agents-world.ts";
import { everythingServer, mcpServer } from "../support/mcp-programs.ts";

const bodySchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })) });

test("progress of an MCP call reaches followers of the conversation, but no model", async () => {
  await using world = await createAgentsWorld({ config: mcpServer("all", [everythingServer, "stdio"]) });
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
