import type { ToolDefinition } from "@incipit/schema";
import type { LookedUpTools, ModelRequest } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { takenLookUp } from "./taken-look-up.ts";
import type { VendorLookup } from "./vendor.ts";

const lookup: VendorLookup = { definitionOptions: {}, result: () => ({ output: { type: "text", value: "" } }) };

function tool(name: string): ToolDefinition {
  return { name, description: name, inputSchema: { type: "object" } };
}

function found(...names: readonly string[]): LookedUpTools["found"] {
  return new Map(names.map((name) => [`of-${name}`, { tools: [tool(name)], more: "" }]));
}

function request(options: Partial<ModelRequest>): ModelRequest {
  return {
    model: "m",
    conversationId: "c",
    cwd: "/work",
    purpose: "turn",
    systemPrompt: [],
    messages: [],
    tools: [tool("search_tools")],
    signal: new AbortController().signal,
    observe: () => {},
    ...options,
  };
}

test("takenLookUp omits results with tools that are missing in the request", () => {
  const lookedUp = { named: [tool("a")], found: found("a", "b") };

  expect(takenLookUp(request({ lookedUp }), { lookup })).toEqual({ named: [tool("a")], found: found("a") });
  const withResults = { named: [], found: found("a", "b") };
  expect(takenLookUp(request({ lookedUp: withResults }), { lookup })).toEqual(withResults);
});

test("takenLookUp omits tools that the vendor rejects, and results with them", () => {
  const careful = { ...lookup, takes: ({ name }: ToolDefinition) => name !== "b" };
  const lookedUp = { named: [tool("a"), tool("b")], found: found("a", "b") };

  const taken = takenLookUp(request({ lookedUp }), { lookup: careful });

  expect(taken).toEqual({ named: [tool("a")], found: found("a") });
  expect(takenLookUp(request({ lookedUp }), { lookup: careful })?.named).toBe(taken?.named);
  expect(takenLookUp(request({ lookedUp }), { lookup })).toEqual(lookedUp);
  const withResults = { named: [], found: found("a", "b") };
  expect(takenLookUp(request({ lookedUp: withResults }), { lookup: careful })).toEqual({
    named: [],
    found: found("a"),
  });
});

test("takenLookUp returns undefined without native support, other tools, or a free choice", () => {
  const lookedUp = { named: [tool("a")], found: found("a") };
  const among = { toolChoice: { mode: "auto", allowed: ["search_tools"] } } as const;

  expect(takenLookUp(request({}), { lookup })).toBeUndefined();
  expect(takenLookUp(request({ lookedUp, tools: [tool("a"), tool("b")] }), { lookup })).toBeUndefined();
  const withResults = { named: [], found: found("a", "c") };
  expect(takenLookUp(request({ lookedUp: withResults, tools: [tool("a")] }), { lookup })).toEqual({
    named: [],
    found: found("c"),
  });
  expect(takenLookUp(request({ lookedUp }), {})).toBeUndefined();
  expect(takenLookUp(request({ lookedUp, tools: [] }), { lookup })).toBeUndefined();
  expect(takenLookUp(request({ lookedUp, settings: among }), { lookup })).toBeUndefined();
  expect(takenLookUp(request({ lookedUp, settings: { toolChoice: "none" } }), { lookup })).toEqual(lookedUp);
});
