import { expect, test } from "bun:test";
import { hasToolReferences } from "./tool-references.ts";

test("hasToolReferences accepts the documented models", () => {
  for (const model of [
    "claude-fable-5",
    "claude-fable-5-1",
    "claude-fable-5-2",
    "claude-mythos-5-1",
    "claude-mythos-5-2",
    "claude-opus-5",
    "claude-opus-5-5",
    "claude-opus-4-8",
    "claude-opus-4-5",
    "claude-opus-4-5-20251101",
    "claude-sonnet-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-sonnet-4-6",
    "claude-sonnet-4-5-20250929",
    "claude-haiku-4-5",
  ])
    expect([model, hasToolReferences(model)]).toEqual([model, true]);
  for (const model of [
    "claude-opus-4-1",
    "claude-opus-4-1-20250805",
    "claude-opus-4-20250514",
    "claude-sonnet-4-20250514",
    "claude-3-5-haiku-20241022",
    "claude-haiku-4-4",
    "claude-haiku-5",
    "claude-sonnet-5-1",
    "claude-fable-5-3",
    "anthropic/claude-opus-5",
    "glm-4.7",
    "",
  ])
    expect([model, hasToolReferences(model)]).toEqual([model, false]);
});
