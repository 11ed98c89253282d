import type { ToolDefinition } from "@incipit/schema";
import type { DeferredTools, ModelRequest } from "@incipit/service-contract";
import { modelRequest } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { nativeToolSearch } from "./native-tool-search.ts";
import type { NativeToolSearch } from "./vendor.ts";

const lookup: NativeToolSearch = { definitionOptions: {}, result: () => ({ output: { type: "text", value: "" } }) };

function tool(name: string): ToolDefinition {
  return { name, description: name, inputSchema: { type: "object" } };
}

function found(...names: readonly string[]): DeferredTools["found"] {
  return new Map(names.map((name) => [`of-${name}`, { tools: [tool(name)], more: "" }]));
}

function request(options: Partial<ModelRequest>): ModelRequest {
  return modelRequest({ messages: [], tools: [tool("search_tools")], ...options });
}

test("nativeToolSearch omits results with tools that are missing in the request", () => {
  const lookedUp = { named: [tool("a")], found: found("a", "b") };

  expect(nativeToolSearch(request({ lookedUp }), { lookup })).toEqual({ named: [tool("a")], found: found("a") });
  const withResults = { named: [], found: found("a", "b") };
  expect(nativeToolSearch(request({ lookedUp: withResults }), { lookup })).toEqual(withResults);
});

test("nativeToolSearch omits tools that the vendor rejects, and results with them", () => {
  const careful = { ...lookup, takes: ({ name }: ToolDefinition) => name !== "b" };
  const lookedUp = { named: [tool("a"), tool("b")], found: found("a", "b") };

  const taken = nativeToolSearch(request({ lookedUp }), { lookup: careful });

  expect(taken).toEqual({ named: [tool("a")], found: found("a") });
  expect(nativeToolSearch(request({ lookedUp }), { lookup: careful })?.named).toBe(taken?.named);
  expect(nativeToolSearch(request({ lookedUp }), { lookup })).toEqual(lookedUp);
  const withResults = { named: [], found: found("a", "b") };
  expect(nativeToolSearch(request({ lookedUp: withResults }), { lookup: careful })).toEqual({
    named: [],
    found: found("a"),
  });
});

test("nativeToolSearch returns undefined without native support, other tools, or a free choice", () => {
  const lookedUp = { named: [tool("a")], found: found("a") };
  const among = { toolChoice: { mode: "auto", allowed: ["search_tools"] } } as const;

  expect(nativeToolSearch(request({}), { lookup })).toBeUndefined();
  expect(nativeToolSearch(request({ lookedUp, tools: [tool("a"), tool("b")] }), { lookup })).toBeUndefined();
  const withResults = { named: [], found: found("a", "c") };
  expect(nativeToolSearch(request({ lookedUp: withResults, tools: [tool("a")] }), { lookup })).toEqual({
    named: [],
    found: found("c"),
  });
  expect(nativeToolSearch(request({ lookedUp }), {})).toBeUndefined();
  expect(nativeToolSearch(request({ lookedUp, tools: [] }), { lookup })).toBeUndefined();
  expect(nativeToolSearch(request({ lookedUp, settings: among }), { lookup })).toBeUndefined();
  expect(nativeToolSearch(request({ lookedUp, settings: { toolChoice: "none" } }), { lookup })).toEqual(lookedUp);
});
