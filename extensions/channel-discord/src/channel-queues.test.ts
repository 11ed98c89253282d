import { expect, test } from "bun:test";
import { ChannelQueues } from "./channel-queues.ts";

test("ChannelQueues runs work in order within a channel and concurrently across channels", async () => {
  const log: string[] = [];
  const first = Promise.withResolvers<void>();
  const queues = new ChannelQueues({ onDropped: () => undefined });
  queues.add("a", async () => {
    await first.promise;
    log.push("a one");
  });
  queues.add("a", async () => void log.push("a two"));
  queues.add("b", async () => {
    log.push("b");
    first.resolve();
  });

  await queues.ended();

  expect(log).toEqual(["b", "a one", "a two"]);
});

test("ChannelQueues drops work beyond 500 per channel and reports it once drained", async () => {
  let done = 0;
  const dropped: string[] = [];
  const first = Promise.withResolvers<void>();
  const queues = new ChannelQueues({ onDropped: (channelId) => void dropped.push(`${channelId} behind ${done}`) });
  for (let count = 0; count < 600; count += 1)
    queues.add("a", async () => {
      await first.promise;
      done += 1;
    });
  first.resolve();

  await queues.ended();
  expect([done, dropped]).toEqual([500, ["a behind 500"]]);
  queues.add("a", async () => void (done += 1));
  await queues.ended();
  expect(done).toBe(501);
});
