import { expect, test } from "bun:test";
import fc from "fast-check";
import { FakeClock } from "./fake-clock.ts";
import { Scope } from "./scope.ts";

function newScope(clock = new FakeClock()): Scope {
  return new Scope({ owner: "acme.weather", releaseTimeoutMs: 1_000, clock });
}

test("close() continues past a late release and names it", async () => {
  const clock = new FakeClock();
  const scope = newScope(clock);
  scope.defer("stuck", () => new Promise(() => {}));

  const failure = scope.close().catch((error: unknown) => error); // `.rejects` would block before advance()
  await clock.advance(1_000);

  expect(await failure).toMatchObject({
    errors: [{ code: "RELEASE_FAILED", message: 'Cannot release "stuck" of "acme.weather"' }],
  });
});

test("close() releases in reverse order, one at a time, once each, despite errors", async () => {
  const property = fc.asyncProperty(fc.array(fc.boolean()), async (throws) => {
    const scope = newScope();
    const log: string[] = [];
    for (const [index, isThrowing] of throws.entries()) {
      scope.defer(`release ${index}`, async () => {
        log.push(`${index} starts`);
        await Promise.resolve();
        log.push(`${index} ends`);
        if (isThrowing) throw new Error("broken");
      });
    }
    await Promise.allSettled([scope.close(), scope.close()]);
    expect(log).toEqual([...throws.keys()].toReversed().flatMap((index) => [`${index} starts`, `${index} ends`]));
  });
  await fc.assert(property);
});

test("signal aborts before the first release", async () => {
  const scope = newScope();
  let wasAborted: boolean | undefined;
  scope.defer("look", () => {
    wasAborted = scope.signal.aborted;
  });

  await scope.close();

  expect(wasAborted).toBe(true);
});

test("defer() and use() throw after close() has begun, without calling the release", async () => {
  const scope = newScope();
  const closing = scope.close();

  expect(() => scope.defer("late", () => expect.unreachable())).toThrow(
    expect.objectContaining({ code: "SCOPE_CLOSED" }),
  );
  expect(() => scope.use("late", { [Symbol.dispose]: () => expect.unreachable() })).toThrow(
    expect.objectContaining({ code: "SCOPE_CLOSED" }),
  );
  await closing;
});
