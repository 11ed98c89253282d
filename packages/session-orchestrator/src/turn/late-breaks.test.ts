import type { ModelEvent } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { call, createWorld, say } from "../testing/test-world.ts";
import { newTool } from "../testing/new-tool.ts";

function breaking(...events: readonly ModelEvent[]) {
  return async function* (): AsyncGenerator<ModelEvent> {
    yield* events;
    const isRetryable = !events.some(({ type }) => type === "text-delta");
    yield { type: "failure", error: { code: "CUT_OFF", message: "reset", isRetryable, retryAfterMs: 0 } };
  };
}

const note = (toolCallId: string) => () => call({ toolCallId, name: "note", input: "{}" });

test("a late step that fails within a tool call is retried without losing messages", async () => {
  await using world = await createWorld({ tools: [newTool("note", { approval: "allow" })] });
  const { id } = await world.conversations.create({});
  const steps = Array.from({ length: 29 }, (_, index) => note(`${index}`));
  const begun = breaking({ type: "tool-call-start", toolCallId: "late", name: "note" });
  world.scripts.push(...steps, begun, breaking(), note("late"), () => say("done"));

  const events = await world.clock.advanceUntil(world.turn(id, "go"));
  const { items } = await world.records.messages(id, { limit: 100 });

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(world.requests).toHaveLength(33);
  expect(world.requests[30]?.messages).toEqual(world.requests[29]?.messages ?? []);
  expect(items).toHaveLength(62);
  const late = events.filter((event) => "toolCallId" in event && event.toolCallId.startsWith("late"));
  expect(late).toMatchObject([
    { type: "tool-call-start", toolCallId: "late" },
    { type: "tool-call-end", toolCallId: "late", error: { code: "TOOL_CALL_CUT" } },
    { type: "tool-call-start", toolCallId: "late-2" },
    { type: "tool-call-end", toolCallId: "late-2", output: "ran 30" },
  ]);
});

test("a late step that fails after text fails the turn and keeps the text", async () => {
  await using world = await createWorld({ tools: [newTool("note", { approval: "allow" })] });
  const { id } = await world.conversations.create({});
  const half = breaking({ type: "text-start", partId: "t" }, { type: "text-delta", partId: "t", text: "Half" });
  world.scripts.push(note("1"), note("2"), half, () => say("done"));

  const broken = await world.clock.advanceUntil(world.turn(id, "go"));
  const next = await world.clock.advanceUntil(world.turn(id, "go on"));

  expect(broken.at(-1)).toMatchObject({ status: "failed", error: { code: "CUT_OFF" } });
  expect(next.at(-1)).toMatchObject({ status: "completed" });
  const roles = world.requests[3]?.messages.map(({ role }) => role);
  expect(roles).toEqual(["user", "assistant", "tool", "assistant", "tool", "assistant", "user"]);
  expect(JSON.stringify(world.requests[3]?.messages)).toContain("Half");
});
