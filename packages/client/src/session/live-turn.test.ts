import { turnEventSchema, type TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { withEvent, type LiveTurn } from "./live-turn.ts";

const turnId = "0199a000-0000-7000-8000-000000000001";
const stepId = "0199a000-0000-7000-8000-000000000002";

function events(...given: readonly Readonly<Record<string, unknown>>[]): readonly TurnEvent[] {
  return given.map((event, index) =>
    turnEventSchema.parse({
      seq: index + 1,
      turnId,
      at: "2026-11-23T00:00:00.000Z",
      stepId,
      partId: "p",
      text: "",
      ...event,
    }),
  );
}

function after(...given: readonly Readonly<Record<string, unknown>>[]): LiveTurn | undefined {
  return events(...given).reduce<LiveTurn | undefined>(withEvent, undefined);
}

test("withEvent joins text deltas and applies the text's end", () => {
  const open = after(
    { type: "turn-start", input: "Hello" },
    { type: "text-start" },
    { type: "text-delta", text: "one " },
    { type: "text-delta", text: "two" },
  );
  const ended = after(
    { type: "text-start" },
    { type: "text-delta", text: "one" },
    { type: "text-end", text: "one and all of it" },
    { type: "turn-end", status: "completed" },
  );

  expect(open).toMatchObject({
    input: "Hello",
    parts: [{ kind: "text", text: "one two", isOpen: true }],
    end: undefined,
  });
  expect(ended).toMatchObject({
    parts: [{ text: "one and all of it", isOpen: false }],
    end: { status: "completed" },
  });
});

test("withEvent shows a tool call from its start, or without one", () => {
  const call = { toolCallId: "c", name: "read_file" };
  const begun = after({ type: "tool-call-start", ...call });
  const ended = after(
    { type: "tool-call-start", ...call },
    { type: "tool-call-end", ...call, input: "{}", output: "x" },
  );
  const running = after(
    { type: "tool-call-start", ...call },
    { type: "tool-call-progress", ...call, progress: 1 },
    { type: "tool-call-progress", ...call, progress: 2, total: 4, message: "reading" },
  );
  const unseen = after({
    type: "tool-call-end",
    ...call,
    input: "{}",
    error: { code: "FAILED", message: "no such file", isRetryable: false },
  });

  expect(begun?.parts).toMatchObject([{ kind: "tool-call", name: "read_file", output: undefined }]);
  expect(running?.parts).toMatchObject([
    { name: "read_file", progress: { progress: 2, total: 4, message: "reading" }, output: undefined },
  ]);
  expect(ended?.parts).toMatchObject([{ input: "{}", output: "x", problem: undefined }]);
  expect(unseen?.parts).toMatchObject([{ input: "{}", output: undefined, problem: "no such file" }]);
});

test("withEvent assigns deltas to the newest part with an id, which providers may repeat", () => {
  const turn = after(
    { type: "text-start" },
    { type: "text-end", text: "first step" },
    { type: "text-start" },
    { type: "text-delta", text: "second" },
  );

  expect(turn?.parts).toMatchObject([{ text: "first step" }, { text: "second", isOpen: true }]);
});

test("withEvent starts over with an event of another turn", () => {
  const first = after({ type: "turn-start", input: "one" }, { type: "turn-end", status: "failed" });
  const [next] = events({ type: "turn-start", turnId: stepId, input: "two" });

  expect(next && withEvent(first, next)).toEqual({ turnId: stepId, input: "two", parts: [], end: undefined });
});

test("withEvent keeps the turn on an event of a newer host", () => {
  const before = after({ type: "turn-start", input: "Hi" });
  const unknown = JSON.parse(`{"type":"turn-sparkle","turnId":"${turnId}","seq":2}`);

  expect(withEvent(before, unknown)).toEqual(before);
});
