import { FakeClock } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { yieldToEventLoop, MessageRate } from "./message-rate.ts";

const maxMessages = 20_000;
const messageWindowMs = 10_000;

test("[attack:bounds-mcp-flood] MessageRate limits messages per window and resets with the next", async () => {
  const clock = new FakeClock();
  const rate = new MessageRate(clock, { messages: maxMessages, windowMs: messageWindowMs });

  expect([rate.take(maxMessages), rate.take(1)]).toEqual([true, false]);
  await clock.advance(messageWindowMs - 1);
  expect(rate.take(1)).toBe(false);
  await clock.advance(1);
  expect([rate.take(maxMessages), rate.take(0), rate.take(1)]).toEqual([true, true, false]); // Control.
});

test("breath() yields to other work of the host", async () => {
  const done: string[] = [];
  const other = Promise.withResolvers<void>();
  setImmediate(() => {
    done.push("other work");
    other.resolve();
  });

  await yieldToEventLoop();
  done.push("next message");
  await other.promise;

  expect(done).toEqual(["other work", "next message"]);
});
