import { expect, test } from "bun:test";
import { unlessAborted } from "./unless-aborted.ts";

test("unlessAborted ends with the reason of whichever signal aborts first, also of one that has", async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const never = new Promise<never>(() => {});
  const ended = unlessAborted(never, [first.signal, second.signal]).catch((error: unknown) => error);

  second.abort("second");
  first.abort("first");

  expect(await ended).toBe("second");
  expect(await unlessAborted(never, [first.signal]).catch((error: unknown) => error)).toBe("first");
});

test("unlessAborted leaves nothing of what has settled with a signal that goes on", async () => {
  const { signal } = new AbortController();
  const results: WeakRef<object>[] = [];
  for (let index = 0; index < 100; index += 1)
    results.push(new WeakRef(await unlessAborted(Promise.resolve({ index }), [signal])));

  const living = (): number => results.filter((result) => result.deref() !== undefined).length;
  // Until the next event each lives. One collection may find the address of what is gone on the stack; what is kept stays kept.
  for (let tries = 0; tries === 0 || (tries < 20 && living() >= 50); tries += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    Bun.gc(true);
  }

  expect(living()).toBeLessThan(50);
  expect(signal.aborted).toBe(false);
});
