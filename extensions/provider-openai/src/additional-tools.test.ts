import type { ModelMessage, ToolDefinition } from "@incipit/schema";
import { expect, test } from "bun:test";
import { additionalTools, hasAdditionalTools } from "./additional-tools.ts";

const tool = (name: string): ToolDefinition => ({ name, description: name, inputSchema: { type: "object" } });
const result = (toolCallId: string) =>
  ({ type: "tool-result", toolCallId, name: "search_tools", output: "", isError: false }) as const;

test("additionalTools places found tools once, after the last result of their message", () => {
  const [first, second, alone] = [result("1"), result("2"), result("3")];
  const messages: readonly ModelMessage[] = [
    { role: "tool", parts: [first, second] },
    { role: "tool", parts: [alone] },
  ];
  const found = new Map([
    ["1", { tools: [tool("a")], more: "" }],
    ["3", { tools: [tool("a")], more: "" }],
  ]);
  const parameters = { type: "object" };
  const definition = { type: "function", name: "a", description: "a", parameters };

  expect([...additionalTools({ messages, lookedUp: { named: [], found } })]).toEqual([
    [second, { openai: { additionalTools: [definition] } }],
  ]);
  expect(additionalTools({ messages }).size).toBe(0);
});

test("hasAdditionalTools accepts GPT-5.4 and later", () => {
  for (const model of ["gpt-5.4", "gpt-5.4-mini", "gpt-5.4-2026-03-05", "gpt-5.6-sol", "gpt-5.10", "gpt-6-astra"])
    expect([model, hasAdditionalTools(model)]).toEqual([model, true]);
  for (const model of ["gpt-5", "gpt-5.2", "gpt-5.3-codex", "gpt-5.4-nano", "gpt-5.5-chat-latest", "gpt-4.1", "o3"])
    expect([model, hasAdditionalTools(model)]).toEqual([model, false]);
});
