import type { TurnEvent } from "@incipit/schema";
import { workObserversPoint, type ToolSource } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { call, callOne, createWorld, type World } from "../testing/test-world.ts";
import { newTool } from "../testing/new-tool.ts";

const settings = { tools: { shown_max: 0 } };
const allow = { approval: "allow" } as const;

function sourceOf(...tools: readonly ReturnType<typeof newTool>[]): ToolSource {
  return { id: "one", tools: async () => ({ tools, problems: [] }) };
}

async function callAll(
  world: World,
  ...calls: readonly (readonly [name: string, input: object])[]
): Promise<{
  readonly events: readonly TurnEvent[];
  readonly ends: readonly string[];
}> {
  const { events } = await world.ask("go", () =>
    call(
      ...calls.map(([name, input], index) => ({ toolCallId: String(index), name, input: JSON.stringify(input) })),
    ),
  );
  const ends = events.flatMap((event) =>
    event.type === "tool-call-end" ? [`${event.name} ${event.input} ${event.error?.code ?? event.output}`] : [],
  );
  return { events, ends };
}

test("runActualCall() runs included and deferred tools through call_tool, several in one reply", async () => {
  const named = newTool("named", allow);
  const looked = newTool("x__looked", { ...allow, server: { name: "x" } });
  await using world = await createWorld({ settings, tools: [named], toolSources: [sourceOf(looked)] });

  const { ends } = await callAll(
    world,
    ["call_tool", { name: "named", input: { a: 1 } }],
    ["call_tool", { name: "x__looked", input: { b: 2 } }],
    ["x__looked", { c: 3 }],
    ["call_tool", { name: "x__looked" }],
  );

  expect(ends.toSorted()).toEqual([
    'named {"a":1} ran 1',
    'x__looked {"b":2} ran 1',
    'x__looked {"c":3} ran 2',
    "x__looked {} ran 3",
  ]);
  expect([named.runs, looked.runs]).toEqual([[{ a: 1 }], [{ b: 2 }, { c: 3 }, {}]]);
  expect(world.requests[0]?.tools.map(({ name }) => name)).toEqual(["call_tool", "named", "search_tools"]);
});

test("runActualCall() treats call_tool as an unknown name without deferred tools", async () => {
  await using world = await createWorld({ tools: [newTool("named", allow)] });

  const { ends } = await callAll(world, ["call_tool", { name: "named", input: {} }]);

  expect(ends).toEqual(['call_tool {"name":"named","input":{}} TOOL_UNKNOWN']);
});

test("runActualCall() uses the underlying tool's preview and reason, and reports it to observers", async () => {
  const looked = newTool("x__write", {
    description: "Writes",
    server: { name: "x" },
    preview: async (input) => `would write ${JSON.stringify(input)}`,
    mustAsk: async () => "It leaves the folder",
  });
  await using world = await createWorld({ settings, toolSources: [sourceOf(looked)] });
  const seen: unknown[] = [];
  await world.add("test.observer", (host) =>
    host.contribute(workObserversPoint, {
      id: "o",
      observe(work) {
        if (work.type === "tool-call") seen.push([work.name, work.description]);
      },
    }),
  );
  const { requests } = await world.approve("allow", {
    script: callOne("call_tool", '{"name":"x__write","input":{"path":"../a"}}'),
  });

  expect(requests).toMatchObject([
    {
      toolCallId: "1",
      name: "x__write",
      input: '{"path":"../a"}',
      preview: 'would write {"path":"../a"}',
      why: "It leaves the folder",
    },
  ]);
  expect(looked.runs).toEqual([{ path: "../a" }]);
  expect(seen).toEqual([["x__write", "Writes"]]);
});
