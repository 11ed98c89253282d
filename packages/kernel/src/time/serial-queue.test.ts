import { expect, test } from "bun:test";
import { SerialQueue } from "./serial-queue.ts";

test("SerialQueue runs operations in order, past failures, and counts pending ones", async () => {
  const queue = new SerialQueue();
  const log: string[] = [];
  const empty = queue.size;
  const failing = queue
    .run(async () => {
      log.push("one starts");
      await Promise.resolve();
      log.push("one ends");
      throw new Error("broken");
    })
    .catch(() => "failed");
  const second = queue.run(async () => log.push("two"));

  expect([empty, queue.size]).toEqual([0, 2]);
  expect(await Promise.all([failing, second])).toEqual(["failed", 3]);
  expect(log).toEqual(["one starts", "one ends", "two"]);
  expect(queue.size).toBe(0);
});
