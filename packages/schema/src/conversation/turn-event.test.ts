import { expect, test } from "bun:test";
import * as z from "zod";
import { turnEventSchema } from "./turn-event.ts";

/** Required fields on which clients depend. Adding fields is compatible, removing any is not. */
const eventFields: Readonly<Record<string, string>> = {
  "turn-queue": "seq turnId at input position",
  "turn-start": "seq turnId at input",
  "prompt-resolve": "seq turnId at sha256 sizeBytes reason",
  "tools-resolve": "seq turnId at sha256 count problems",
  "step-start": "seq turnId at stepId model",
  "step-retry": "seq turnId at stepId attempt waitMs error",
  "text-start": "seq turnId at stepId partId text",
  "text-delta": "seq turnId at stepId partId text",
  "text-end": "seq turnId at stepId partId text",
  "reasoning-start": "seq turnId at stepId partId text",
  "reasoning-delta": "seq turnId at stepId partId text",
  "reasoning-end": "seq turnId at stepId partId text",
  "tool-call-start": "seq turnId at stepId toolCallId name",
  "tool-call-end": "seq turnId at stepId toolCallId name input",
  "approval-request": "seq turnId at approvalId toolCallId name asker input expiresAt",
  "approval-end": "seq turnId at approvalId decision reason",
  "step-end": "seq turnId at stepId usage finishReason",
  "compaction-start": "seq turnId at reason",
  "compaction-end": "seq turnId at status",
  "message-end": "seq turnId at messageId",
  "turn-end": "seq turnId at status",
};

test("turnEventSchema has the required fields of each event", () => {
  const found = turnEventSchema.options.map((schema) => {
    const { properties = {}, required = [] } = z.toJSONSchema(schema);
    const { type } = z.object({ type: z.object({ const: z.string() }) }).parse(properties);
    return [type.const, required.filter((name) => name !== "type").join(" ")];
  });

  expect(Object.fromEntries(found)).toMatchObject(eventFields);
});

test("turnEventSchema rejects an event without seq, turnId or at", () => {
  const event = {
    type: "turn-start",
    seq: 1,
    turnId: "01a1fcd7-5c9a-7556-afda-76769002c75c",
    at: "2026-01-01T00:00:00.000Z",
    input: "Hello",
  };

  expect(turnEventSchema.safeParse(event).success).toBe(true);
  for (const key of ["seq", "turnId", "at"])
    expect(turnEventSchema.safeParse({ ...event, [key]: undefined }).success).toBe(false);
  expect(turnEventSchema.safeParse({ ...event, seq: 0 }).success).toBe(false);
  expect(turnEventSchema.safeParse({ ...event, at: "2026-01-01T00:00:00+01:00" }).success).toBe(false);
});
