import { defineExtension } from "@incipit/kernel";
import type { TurnEvent } from "@incipit/schema";
import { toolsPoint, type Tool } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { newTool } from "../testing/new-tool.ts";
import { call, createWorld, type World } from "../testing/test-world.ts";

const inputSchema: Tool["inputSchema"] = {
  type: "object",
  properties: { path: { type: "string" }, count: { type: "integer" } },
  required: ["path"],
  additionalProperties: false,
};

async function callOnce(world: World, name: string, input: string): Promise<readonly TurnEvent[]> {
  const { id } = await world.conversations.create({});
  world.scripts.push(() => call({ toolCallId: "0", name, input }));
  const { turnId } = await world.conversations.send(id, { input: "go" });
  const events: TurnEvent[] = [];
  for await (const event of world.conversations.follow(id, { signal: AbortSignal.timeout(60_000) })) {
    events.push(event);
    if (event.type === "approval-request")
      await world.approvals.answerApproval(id, event.approvalId, { decision: "deny" });
    if (event.type === "turn-end" && event.turnId === turnId) break;
  }
  return events;
}

async function loadTool(world: World, tool: Tool): Promise<void> {
  const extension = defineExtension(
    { id: "acme.tools", version: "1.0.0", api: "^1", contributes: ["tools@1"] },
    (host) => host.contribute(toolsPoint, tool),
  );
  await world.kernel.add([{ extension, trust: "standard" }]);
}

function errorOf(events: readonly TurnEvent[]): object | undefined {
  return events.find((event) => event.type === "tool-call-end")?.error;
}

test.each([
  ['{"path":[1]}', '"input.path" must be a string, and is an array'],
  ["{}", '"input.path" is missing'],
  ['{"path":"a","more":1}', '"input.more" is not known'],
  ['{"path":"a","count":"x"}', '"input.count" must be an integer'],
])("a call with invalid arguments is rejected with a reason, without approval: %s", async (input, why) => {
  for (const isAdded of [false, true]) {
    const tool = newTool("write", { inputSchema });
    await using world = await createWorld({ tools: isAdded ? [] : [tool] });
    if (isAdded) await loadTool(world, tool);
    const events = await callOnce(world, "write", input);

    expect(events.filter(({ type }) => type === "approval-request")).toEqual([]);
    expect(errorOf(events)).toMatchObject({ code: "TOOL_INPUT_INVALID", message: expect.stringContaining(why) });
    expect(tool.runs).toEqual([]);
  }
});

test("approval accepts null for absent and numbers as strings for third-party tools", async () => {
  const tool = newTool("write", { inputSchema });
  await using world = await createWorld({});
  await loadTool(world, tool);

  for (const input of ['{"path":"a","count":null}', '{"path":"a","count":"2"}']) {
    const events = await callOnce(world, "write", input);
    expect(events.filter(({ type }) => type === "approval-request")).toHaveLength(1);
  }
});

test("the call's end names the extension of a failed third-party tool", async () => {
  const fails = async (): Promise<string> => {
    throw new Error("boom");
  };
  await using world = await createWorld({ tools: [newTool("own", { approval: "allow", execute: fails })] });
  await loadTool(world, newTool("added", { approval: "allow", execute: fails }));

  expect(errorOf(await callOnce(world, "own", "{}"))).toEqual({ code: "TOOL_FAILED", message: "boom" });
  const events = await callOnce(world, "added", "{}");
  expect(errorOf(events)).toEqual({
    code: "TOOL_FAILED",
    message: 'The tool "added" of extension "acme.tools" failed: boom',
  });
});
