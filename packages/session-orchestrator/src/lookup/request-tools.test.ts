import { expect, test } from "bun:test";
import type { DeferredTool } from "./tool-index.ts";
import { requestTools } from "./deferred-lists.ts";

function server(name: string, count: number, description = ""): readonly DeferredTool[] {
  return Array.from({ length: count }, (_, index) => ({
    definition: {
      name: `${name}__${String(index).padStart(5, "0")}`,
      description,
      inputSchema: { type: "object" as const },
    },
    server: name,
  }));
}

function serversOf(deferred: readonly DeferredTool[]): readonly string[] {
  return [...new Set(requestTools(deferred).map(({ name }) => name.split("__")[0] ?? ""))];
}

test("requestTools selects whole servers, smallest first, sorted by name", () => {
  const [small, large] = [server("z", 300), server("a", 2_000, "x".repeat(400))];
  const taken = requestTools([...large, ...small]);

  expect(taken.map(({ name }) => name)).toEqual([...large, ...small].map(({ definition }) => definition.name));
  expect(serversOf([...server("huge", 3, "x".repeat(500_000)), ...large, ...small])).toEqual(["a", "z"]);
  expect(requestTools(server("one", 1, "x".repeat(1_048_576)))).toEqual([]);
});

test("requestTools obeys Anthropic's limit", () => {
  expect(requestTools(server("a", 10_000))).toHaveLength(10_000);
  expect(requestTools(server("a", 10_001))).toEqual([]);
  expect(serversOf([...server("a", 9_000), ...server("b", 2_000)])).toEqual(["b"]);
});
