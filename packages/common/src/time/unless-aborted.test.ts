import { expect, test } from "bun:test";
import { unlessAborted } from "./unless-aborted.ts";

test("unlessAborted rejects with the first signal's reason, including an aborted one", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const never = new Promise<never>(() => {});
  const ended = unlessAborted(never, [first.signal, second.signal]).catch((error: unknown) => error);

  second.abort("second");
  first.abort("first");

  expect(await ended).toBe("second");
  expect(await unlessAborted(never, [first.signal]).catch((error: unknown) => error)).toBe("first");
});

test("unlessAborted leaves no listeners on a signal that outlives the work", async () => {
  const { signal } = new AbortController();
  const results: WeakRef<object>[] = [];
  for (let index = 0; index < 100; index += 1)
    results.push(new WeakRef(await unlessAborted(Promise.resolve({ index }), [signal])));

  const living = (): number => results.filter((result) => result.deref() !== undefined).length;
  // Each lives until the next event. A collection may still find a dead reference on the stack.
  for (let tries = 0; tries === 0 || (tries < 20 && living() >= 50); tries += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    Bun.gc(true);
  }

  expect(living()).toBeLessThan(50);
  expect(signal.aborted).toBe(false);
});
