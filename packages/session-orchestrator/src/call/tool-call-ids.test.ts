import type { ModelMessage, ToolDefinition } from "@incipit/schema";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ToolCallIds } from "./reply.ts";
import { toolNamePattern } from "../store/tool-list.ts";

function historyOf(...ids: readonly string[]): readonly ModelMessage[] {
  const parts = ids.map((toolCallId) => ({ type: "tool-call", toolCallId, name: "a", input: "{}" }) as const);
  return [{ role: "assistant", parts }];
}

function toolsOf(...names: readonly string[]): readonly ToolDefinition[] {
  return names.map((name) => ({ name, description: "", inputSchema: {} }));
}

test("take() keeps a new id and replaces empty or duplicate ones", () => {
  const ids = new ToolCallIds(historyOf("old", "old-2"), []);

  expect(["new", "old", "new", "", "", "new-2"].map((id) => ids.take(id))).toEqual([
    "new",
    "old-3",
    "new-2",
    "call",
    "call-2",
    "new-2-2",
  ]);
});

test("take() returns the id from the call's begin, for interleaved calls too", () => {
  const ids = new ToolCallIds([], []);

  const begun = [ids.begin("a"), ids.begin("a"), ids.begin("b")];
  const taken = [ids.take("a"), ids.take("b"), ids.take("a"), ids.take("a")];

  expect(begun).toEqual(["a", "a-2", "b"]);
  expect(taken).toEqual(["a", "b", "a-2", "a-3"]);
});

test("take() returns unique, storable ids for any input", () => {
  const anyId = fc.oneof(
    fc.constantFrom("", "a", "a-2", "\ud800", `x${"🎉".repeat(100)}`),
    fc.string({ unit: "binary", maxLength: 300 }),
  );
  const property = fc.property(fc.array(anyId), fc.array(anyId), (before, given) => {
    const known = new Set(before);
    const ids = new ToolCallIds(historyOf(...before), []);
    const taken = given.map((id) => ids.take(id));
    expect(new Set(taken).size).toBe(taken.length);
    for (const id of taken) {
      expect(known.has(id)).toBe(false);
      expect(id).not.toBe("");
      expect(encodeURIComponent(id).length).toBeLessThan(2_000);
    }
  });
  fc.assert(property);
});

test("nameOf() keeps a valid name and never produces an existing one", () => {
  const ids = new ToolCallIds([], toolsOf("read_file", "unnamed_tool"));

  expect(["read_file", "nobody", "read file", "", "é".repeat(100)].map((name) => ids.nameOf(name))).toEqual([
    "read_file",
    "nobody",
    "read_file_",
    "unnamed_tool_",
    "_".repeat(48),
  ]);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => toolNamePattern.test(ids.nameOf(name))));
});
