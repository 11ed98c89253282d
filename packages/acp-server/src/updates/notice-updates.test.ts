import { turnEventSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { NoticeUpdates } from "./notice-updates.ts";

test("NoticeUpdates reports a nearly reached cost cap to editors with notices", () => {
  const message = "Model calls have cost $16.00 today, of the $20.00 that [limits] max_usd_per_day allows";
  const event = turnEventSchema.parse({
    type: "spending-notice",
    seq: 1,
    turnId: "01a1fcd7-5c9a-7556-afda-76769002c75c",
    at: "2026-01-01T00:00:00.000Z",
    reason: "near-limit",
    message,
  });
  if (event.type !== "spending-notice") throw new Error("It is another event");

  expect(new NoticeUpdates({ session: { notices: {} } }).take(event)).toEqual([
    { sessionUpdate: "notice", severity: "warning", title: "Spending", description: message },
  ]);
  expect(new NoticeUpdates({}).take(event)).toEqual([]);
});

test("NoticeUpdates reports a missing working folder to editors with notices", () => {
  const message = 'The working folder "/a" does not exist any more';
  const event = turnEventSchema.parse({
    type: "folder-notice",
    seq: 1,
    turnId: "01a1fcd7-5c9a-7556-afda-76769002c75c",
    at: "2026-01-01T00:00:00.000Z",
    message,
  });
  if (event.type !== "folder-notice") throw new Error("It is another event");

  expect(new NoticeUpdates({ session: { notices: {} } }).take(event)).toEqual([
    { sessionUpdate: "notice", severity: "warning", title: "Working folder", description: message },
  ]);
});
