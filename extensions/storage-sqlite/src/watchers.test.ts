import type { StorageChange } from "@incipit/kernel";
import { expect, test } from "bun:test";
import { Watchers } from "./watchers.ts";

const { signal } = new AbortController();

function changeOf(index: number): StorageChange {
  return { kind: "set", key: `k${index}`, version: index };
}

test.each([
  { published: 10_000, isOver: false },
  { published: 10_001, isOver: true },
])(
  "Watchers.watch buffers 10,000 changes for a slow watcher and ends beyond: %o",
  async ({ published, isOver }) => {
    const watchers = new Watchers();
    const changes = watchers.watch("n", "", signal)[Symbol.asyncIterator]();
    for (let index = 0; index < published; index += 1) watchers.publish("n", changeOf(index));

    for (let index = 0; index < 10_000; index += 1) expect((await changes.next()).value).toEqual(changeOf(index));
    const next = changes.next();
    watchers.publish("n", changeOf(published));

    expect((await next).done).toBe(isOver);
  },
);

async function leave(watchers: Watchers, whole: AbortSignal): Promise<readonly WeakRef<StorageChange>[]> {
  const published: WeakRef<StorageChange>[] = [];
  const publish = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const change = changeOf(index);
      watchers.publish("n", change);
      published.push(new WeakRef(change));
    }
  };
  const changes = watchers.watch("n", "", whole);
  publish(100);
  for await (const _ of changes) break;
  publish(100);
  return published;
}

test("Watchers and their signal retain nothing for a watcher that has left", async () => {
  const watchers = new Watchers();
  const whole = new AbortController();

  const published = await leave(watchers, whole.signal);
  const living = (): number => published.filter((change) => change.deref() !== undefined).length;
  // One collection may still find a dead reference in a register or on the stack; retained objects stay.
  for (let tries = 0; tries < 20 && living() >= 50; tries += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    Bun.gc(true);
  }

  expect(living()).toBeLessThan(50);
  watchers.end(); // Keeps them and the signal alive until here.
  whole.abort();
});
