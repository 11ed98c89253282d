import { turnEventSchema, type TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { TurnUpdates } from "./turn-updates.ts";

const turnId = "01990000-0000-7000-8000-000000000001";
const stepId = "01990000-0000-7000-8000-000000000002";

function begun(toolCallId: string): Extract<TurnEvent, { type: "tool-call-start" }> {
  const event = turnEventSchema.parse({
    type: "tool-call-start",
    seq: 1,
    turnId,
    at: "2026-01-01T00:00:00.000Z",
    stepId,
    toolCallId,
    name: "shell",
  });
  if (event.type !== "tool-call-start") throw new TypeError("It is another event");
  return event;
}

test("TurnUpdates starts a call once, and only with complete arguments", () => {
  const updates = new TurnUpdates({ cwd: "/" });
  updates.take(begun("whole"));
  updates.take(begun("half"));

  const written = updates.takeCalls([{ type: "tool-call", toolCallId: "whole", name: "shell", input: "{}" }]);
  const started = updates.startUnasked();
  const again = updates.startUnasked();

  expect(written).toMatchObject([{ toolCallId: "whole" }]);
  expect(written).not.toMatchObject([{ status: expect.anything() }]);
  expect(started).toEqual([{ sessionUpdate: "tool_call_update", toolCallId: "whole", status: "in_progress" }]);
  expect(again).toEqual([]);
});
