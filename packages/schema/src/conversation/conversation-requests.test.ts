import { expect, test } from "bun:test";
import { forkConversationRequestSchema } from "./conversation-requests.ts";

test("forkConversationRequestSchema accepts at most one message", () => {
  const isTaken = (request: unknown): boolean => forkConversationRequestSchema.safeParse(request).success;

  expect([{}, { after: "a" }, { before: "b" }].map(isTaken)).toEqual([true, true, true]);
  expect(isTaken({ after: "a", before: "b" })).toBe(false);
});
