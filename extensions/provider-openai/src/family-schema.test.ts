import { modelProvidersPoint, type ModelRequest } from "@incipit/service-contract";
import { brokenRules, modelRequest, startExtension, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./extension.ts";
import { familySchema } from "./family-schema.ts";

const schema = {
  type: "object",
  properties: {
    day: { type: "string", pattern: "^\\d{4}$" },
    name: { type: "string", pattern: "^[a-z]+$" },
    pattern: { type: "string", default: { pattern: "\\d" } },
    choice: { type: "string", anyOf: [{ const: "a" }, { type: "number" }] },
    pair: { type: "array", items: [{ type: "string" }] },
  },
};

test("familySchema removes only patterns that the grammar does not support", () => {
  const { day: _, ...others } = schema.properties;

  expect(familySchema("grammar", schema)).toEqual({
    type: "object",
    properties: { day: { type: "string" }, ...others },
  });
});

test("familySchema moves a choice's type into each alternative for Moonshot", () => {
  expect(familySchema("moonshot", schema)).toMatchObject({
    properties: {
      choice: { anyOf: [{ const: "a", type: "string" }, { type: "number" }] },
      pair: { type: "array" },
    },
  });
  expect(JSON.stringify(familySchema("moonshot", schema))).not.toContain('"items"');
});

test("familySchema returns the same object when nothing changes", () => {
  const plain = { type: "object", properties: { a: { type: "string", enum: ["b"] } } };

  expect(familySchema("grammar", plain)).toBe(plain);
  expect(familySchema("moonshot", plain)).toBe(plain);
});

test.each([
  ["strict", "m"],
  ["llama.cpp", "m"],
  ["moonshot", "kimi-k2.6"],
  ["openrouter", "anthropic/claude-opus-5"],
] as const)("provider-openai sends the family %s only tools that its servers accept", async (family, model) => {
  await using server = await startRecordingModelServer();
  await using started = await startExtension(extension, {
    config: { providers: { local: { kind: "openai-compatible", base_url: server.url, family } } },
    net: server,
  });
  const provider = started.contribution(modelProvidersPoint);
  const tool = (name: string, inputSchema: ModelRequest["tools"][number]["inputSchema"]) => ({
    name,
    description: name,
    inputSchema,
  });
  const tools = [
    tool("adapted", schema),
    tool("bounds", { type: "object", properties: { a: { type: "number", minimum: 0, exclusiveMinimum: true } } }),
    tool("root", { anyOf: [{ properties: { a: { type: "string" } } }, { properties: { b: { type: "string" } } }] }),
    tool("zoom", { type: "object", properties: { $filter: { type: "string" } } }),
  ];

  await Array.fromAsync(provider.stream(modelRequest({ model, systemPrompt: ["s"], tools })));

  const body = server.requests[0]?.body ?? "";
  expect(brokenRules(family, body)).toEqual([]);
  expect(body.includes('"zoom"')).toBe(family !== "openrouter");
  expect(provider.refusesTool?.({ model, tool: tools[3] ?? tool("none", {}) })?.includes("$filter") ?? false).toBe(
    family === "openrouter",
  );
});
