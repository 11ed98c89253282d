import { approvalSchema, turnEventSchema, type TurnEvent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { requestsAfter } from "./open-requests.ts";

const [before, next] = ["01a1fcd7-5c9a-7556-afda-767690020001", "01a1fcd7-5c9a-7556-afda-767690020002"];
const approval = approvalSchema.parse({
  approvalId: "01a1fcd7-5c9a-7556-afda-76769002c75c",
  turnId: next,
  toolCallId: "call-1",
  name: "shell",
  asker: { kind: "extension", extension: "workspace-tools" },
  input: "{}",
  expiresAt: "2026-01-01T00:00:00.000Z",
});

function eventOf(event: Readonly<Record<string, unknown>>): TurnEvent {
  return turnEventSchema.parse({ seq: 1, turnId: next, at: "2026-01-01T00:00:00.000Z", ...event });
}

test("requestsAfter keeps a request of a later turn when a turn ends", () => {
  const open = { approvals: [approval], questions: [] };
  const endOf = (turnId: string): TurnEvent => eventOf({ type: "turn-end", turnId, status: "completed" });

  expect(requestsAfter(open, endOf(before))).toEqual(open);
  expect(requestsAfter(open, endOf(next)).approvals).toEqual([]);
});

test("requestsAfter adds a request once, until it ends", () => {
  const request = eventOf({ type: "approval-request", ...approval });
  const { approvalId } = approval;

  const open = requestsAfter(requestsAfter({ approvals: [], questions: [] }, request), request);
  const closed = requestsAfter(
    open,
    eventOf({ type: "approval-end", approvalId, decision: "deny", reason: "answered" }),
  );

  expect(open.approvals).toEqual([approval]);
  expect(closed.approvals).toEqual([]);
});
