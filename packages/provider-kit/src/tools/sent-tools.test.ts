import type { ToolDefinition } from "@incipit/schema";
import type { ModelRequest } from "@incipit/service-contract";
import { modelRequest } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { SentTools } from "./sent-tools.ts";

const tool = (name: string, inputSchema: ToolDefinition["inputSchema"]): ToolDefinition => ({
  name,
  description: name,
  inputSchema,
});
const request = (tools: readonly ToolDefinition[], options: Partial<ModelRequest> = {}): ModelRequest =>
  modelRequest({ messages: [], tools, ...options });
const said = { type: "object", properties: {} };

test("SentTools adds the object type, and leaves other schemas to the vendor", () => {
  const tools = [tool("a", {}), tool("b", { type: "object" }), tool("c", { type: "string" })];
  const vendor = { toToolSchema: (schema: ToolDefinition["inputSchema"]) => ({ ...schema, title: "seen" }) };

  const plain = new SentTools({}).of(request(tools));
  const changed = new SentTools(vendor).of(request(tools));

  expect(plain.tools.map(({ inputSchema }) => inputSchema)).toEqual([
    { type: "object" },
    { type: "object" },
    { type: "string" },
  ]);
  expect(plain.tools.slice(1)).toEqual(tools.slice(1));
  expect(changed.tools.map(({ inputSchema }) => inputSchema)).toEqual([
    { type: "object", title: "seen" },
    { type: "object", title: "seen" },
    { type: "string", title: "seen" },
  ]);
  expect(tools[0]?.inputSchema).toEqual({});
});

test("SentTools returns identical objects for the same list, and the request itself if unchanged", () => {
  const sentTools = new SentTools({});
  const complete = request([tool("a", said)]);
  const tools = [tool("a", said), tool("b", {})];

  const [first, second] = [sentTools.of(request(tools)), sentTools.of(request(tools))];

  expect(sentTools.of(complete)).toBe(complete);
  expect(first.tools).toBe(second.tools);
  expect(first.tools[0]).toBe(tools[0]);
});

test("SentTools converts deferred tools like others", () => {
  const named = [tool("a", {})];
  const more = "No other tool fits.";
  const lookedUp = { named, found: new Map([["call-1", { tools: named, more }]]) };

  const sent = new SentTools({}).of(request([], { lookedUp })).lookedUp;

  const [only] = sent?.named ?? [];
  expect(only).toEqual(tool("a", { type: "object" }));
  expect(sent?.found.get("call-1")).toEqual({ tools: [only ?? tool("none", {})], more });
  expect(sent?.found.get("call-1")?.tools[0]).toBe(only);
});

test("SentTools omits rejected tools, except in search results", () => {
  const tools = [tool("a", said), tool("b", said)];
  const lookedUp = { named: tools, found: new Map([["call-1", { tools, more: "" }]]) };
  const sentTools = new SentTools({
    refusesTool: ({ model, tool: { name } }) => (model === "strict" && name === "b" ? "it is refused" : undefined),
  });

  const strict = sentTools.of(request(tools, { model: "strict", lookedUp }));

  expect(strict.tools).toEqual([tool("a", said)]);
  expect(strict.lookedUp?.named).toBe(strict.tools);
  expect(strict.lookedUp?.found.get("call-1")?.tools).toBe(tools);
  expect(sentTools.of(request(tools)).tools).toBe(tools);
  expect(sentTools.of(request(tools, { model: "strict" })).tools).toBe(strict.tools);
});
