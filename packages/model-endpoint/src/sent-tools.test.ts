import type { ToolDefinition } from "@incipit/schema";
import type { ModelRequest } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { SentTools } from "./sent-tools.ts";

const tool = (name: string, inputSchema: ToolDefinition["inputSchema"]): ToolDefinition => ({
  name,
  description: name,
  inputSchema,
});
const request = (tools: readonly ToolDefinition[], options: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "m",
  conversationId: "c",
  cwd: "/",
  purpose: "turn",
  systemPrompt: [],
  messages: [],
  tools,
  signal: new AbortController().signal,
  observe: () => {},
  ...options,
});
const said = { type: "object", properties: {} };

test("SentTools says of a schema that it is one of an object, and leaves what says more than that to the vendor", () => {
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

test("SentTools gives the same objects for the same list, and the request itself where nothing is to be said", () => {
  const sentTools = new SentTools({});
  const complete = request([tool("a", said)]);
  const tools = [tool("a", said), tool("b", {})];

  const [first, second] = [sentTools.of(request(tools)), sentTools.of(request(tools))];

  expect(sentTools.of(complete)).toBe(complete);
  expect(first.tools).toBe(second.tools);
  expect(first.tools[0]).toBe(tools[0]);
});

test("SentTools has tools that are looked up as it has the others", () => {
  const named = [tool("a", {})];
  const more = "No other tool fits.";
  const lookedUp = { named, found: new Map([["call-1", { tools: named, more }]]) };

  const sent = new SentTools({}).of(request([], { lookedUp })).lookedUp;

  const [only] = sent?.named ?? [];
  expect(only).toEqual(tool("a", { type: "object" }));
  expect(sent?.found.get("call-1")).toEqual({ tools: [only ?? tool("none", {})], more });
  expect(sent?.found.get("call-1")?.tools[0]).toBe(only);
});

test("SentTools leaves out what the vendor refuses for a model, and keeps it in what a search found", () => {
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
