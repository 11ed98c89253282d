import type { TurnEvent } from "@incipit/schema";
import { toolsPoint, type Tool } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { callOne, createWorld } from "../testing/test-world.ts";
import { newTool } from "../testing/new-tool.ts";

const inputSchema: Tool["inputSchema"] = {
  type: "object",
  properties: { path: { type: "string" }, count: { type: "integer" } },
  required: ["path"],
  additionalProperties: false,
};

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
    if (isAdded) await world.add("acme.tools", (host) => host.contribute(toolsPoint, tool), "standard");
    const { events, requests } = await world.approve("deny", { script: callOne("write", input) });

    expect(requests).toEqual([]);
    expect(errorOf(events)).toMatchObject({ code: "TOOL_INPUT_INVALID", message: expect.stringContaining(why) });
    expect(tool.runs).toEqual([]);
  }
});

test("approval accepts null for absent and numbers as strings for third-party tools", async () => {
  const tool = newTool("write", { inputSchema });
  await using world = await createWorld({});
  await world.add("acme.tools", (host) => host.contribute(toolsPoint, tool), "standard");

  for (const input of ['{"path":"a","count":null}', '{"path":"a","count":"2"}']) {
    expect((await world.approve("deny", { script: callOne("write", input) })).requests).toHaveLength(1);
  }
});

test("the call's end names the extension of a failed third-party tool", async () => {
  const fails = async (): Promise<string> => {
    throw new Error("boom");
  };
  await using world = await createWorld({ tools: [newTool("own", { approval: "allow", execute: fails })] });
  await world.add(
    "acme.tools",
    (host) => host.contribute(toolsPoint, newTool("added", { approval: "allow", execute: fails })),
    "standard",
  );

  expect(errorOf((await world.ask("go", callOne("own"))).events)).toEqual({ code: "TOOL_FAILED", message: "boom" });
  const { events } = await world.ask("go", callOne("added"));
  expect(errorOf(events)).toEqual({
    code: "TOOL_FAILED",
    message: 'The tool "added" of extension "acme.tools" failed: boom',
  });
});
