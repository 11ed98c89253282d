import { describe, expect, test } from "bun:test";
import { FakeClock } from "../time/fake-clock.ts";
import { leasedView } from "./leased-view.ts";
import { Leases, type Place } from "./leases.ts";
import { refusal } from "../testing/test-kernel.ts";

const place: Place = { kind: "service", id: "worker@1" };
const never = new Promise<never>(() => {});

async function* counting(count: number, log: string[] = []): AsyncGenerator<number> {
  try {
    for (let index = 0; index < count; index += 1) yield index;
  } finally {
    log.push("returned");
  }
}

describe("a call", () => {
  test("holds a lease until its promise settles", async () => {
    const leases = new Leases("acme.worker");
    const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    const view = leasedView({ wait: (index: 0 | 1) => gates[index].promise }, { leases, place });

    const calls = [view.wait(0), refusal(view.wait(1))];

    expect(leases.size).toBe(2);
    gates[0].resolve("done");
    expect(await calls[0]).toBe("done");
    expect(leases.size).toBe(1);
    gates[1].reject(new Error("broken"));
    expect(await calls[1]).toMatchObject({ message: "broken" });
    expect(leases.size).toBe(0);
  });

  test("holds no lease for a synchronous result or error", () => {
    const leases = new Leases("acme.worker");
    const service = {
      now: () => 1,
      broken: (): number => {
        throw new Error("broken");
      },
    };
    const view = leasedView(service, { leases, place });

    expect(view.now()).toBe(1);
    expect(() => view.broken()).toThrow("broken");
    expect(leases.size).toBe(0);
  });

  test("binds `this` to its service, including private members", async () => {
    class Counter {
      #count = 0;
      get count(): number {
        return this.#count;
      }
      async add(): Promise<number> {
        return (this.#count += 1);
      }
    }
    const view = leasedView(new Counter(), { leases: new Leases("acme.worker"), place });

    expect([await view.add(), await view.add(), view.count]).toEqual([1, 2, 2]);
  });

  test("holds one lease through a promise of an async iterable", async () => {
    const leases = new Leases("acme.worker");
    const view = leasedView({ open: async () => counting(2) }, { leases, place });
    const opening = view.open();
    const draining = leases.drain({ timeoutMs: 1_000, clock: new FakeClock() });
    const items = await opening;

    expect(leases.size).toBe(1);
    expect(await Array.fromAsync(items)).toEqual([0, 1]);
    expect(await draining).toEqual({ drained: 1, cut: 0 });
  });

  test("ends when a thenable throws", async () => {
    const leases = new Leases("acme.worker");
    const thenable: PromiseLike<string> = {
      // oxlint-disable-next-line unicorn/no-thenable -- under test
      then: () => {
        throw new Error("broken");
      },
    };
    const view = leasedView({ call: () => thenable }, { leases, place });

    expect(await refusal((async () => view.call())())).toMatchObject({ message: "broken" });
    expect(leases.size).toBe(0);
  });
});

describe("an iteration", () => {
  test("holds its lease from the call to its end, even before the first item", async () => {
    const leases = new Leases("acme.worker");
    const items = leases.trackItems(counting(2));

    expect(leases.size).toBe(1);
    expect(await Array.fromAsync(items)).toEqual([0, 1]);
    expect(leases.size).toBe(0);
  });

  test("ends when its consumer leaves, and calls return() of the source", async () => {
    const leases = new Leases("acme.worker");
    const log: string[] = [];

    for await (const item of leases.trackItems(counting(9, log))) if (item === 1) break;

    expect([log, leases.size]).toEqual([["returned"], 0]);
  });

  test("ends when the consumer or the source throws", async () => {
    const leases = new Leases("acme.worker");
    const log: string[] = [];
    const consume = async (): Promise<void> => {
      for await (const _item of leases.trackItems(counting(9, log))) throw new Error("consumer");
    };
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      throw new Error("items");
    }

    expect(await refusal(consume())).toMatchObject({ message: "consumer" });
    expect(await refusal(Array.fromAsync(leases.trackItems(broken())))).toMatchObject({ message: "items" });
    expect([log, leases.size]).toEqual([["returned"], 0]);
  });

  test("ends for a source without return(), and when the source cannot start", async () => {
    const leases = new Leases("acme.worker");
    const endless = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false as const, value: 1 }) }) };
    const broken = {
      [Symbol.asyncIterator]: (): AsyncIterator<number> => {
        throw new Error("broken");
      },
    };

    for await (const _item of leases.trackItems(endless)) break;
    expect(() => leases.trackItems(broken)[Symbol.asyncIterator]()).toThrow("broken");

    expect(leases.size).toBe(0);
  });

  test("takes another lease per iteration, and throws after the generation has ended", async () => {
    const leases = new Leases("acme.worker");
    let started = 0;
    const items = leases.trackItems({
      [Symbol.asyncIterator]: () => {
        started += 1;
        return counting(1);
      },
    });
    await Array.fromAsync(items);

    const second = items[Symbol.asyncIterator]();
    expect(leases.size).toBe(1);
    await Array.fromAsync({ [Symbol.asyncIterator]: () => second });
    await leases.drain({ timeoutMs: 1_000, clock: new FakeClock() });

    expect(() => items[Symbol.asyncIterator]()).toThrow(expect.objectContaining({ code: "GENERATION_GONE" }));
    expect(started).toBe(2);
  });

  test("does not use the source after its end", async () => {
    const leases = new Leases("acme.worker");
    let asked = 0;
    const next = async (): Promise<IteratorResult<number>> => {
      asked += 1;
      return { done: true, value: 0 };
    };
    const items = leases.trackItems({ [Symbol.asyncIterator]: () => ({ next }) });
    const iterator = items[Symbol.asyncIterator]();

    await iterator.next();

    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await iterator.return?.(7)).toMatchObject({ done: true, value: 7 });
    expect(asked).toBe(1);
  });
});

describe("drain()", () => {
  const cutNow = { timeoutMs: 0, clock: new FakeClock() };
  const gone = { code: "GENERATION_GONE", retryable: true, extension: "acme.worker" };

  test("cuts each call and iteration once, and closes the sources", async () => {
    const leases = new Leases("acme.worker");
    const log: string[] = [];
    const call = refusal(leases.track(never));
    const running = leases.trackItems(counting(9, log))[Symbol.asyncIterator]();
    await running.next();

    expect(await leases.drain(cutNow)).toEqual({ drained: 0, cut: 2 });

    expect(await call).toMatchObject(gone);
    expect(await refusal(running.next())).toMatchObject(gone);
    expect(await running.next()).toEqual({ done: true, value: undefined });
    expect(log).toEqual(["returned"]);
    expect(await leases.drain(cutNow)).toEqual({ drained: 0, cut: 2 });
  });

  test("rejects one pending next() and completes the others", async () => {
    const leases = new Leases("acme.worker");
    const stuck = { [Symbol.asyncIterator]: () => ({ next: () => never }) };
    const iterator = leases.trackItems(stuck)[Symbol.asyncIterator]();
    const first = refusal(iterator.next());
    const second = iterator.next();

    await leases.drain(cutNow);

    expect(await first).toMatchObject(gone);
    expect(await second).toEqual({ done: true, value: undefined });
  });

  test("does not start an iteration cut before its first item, and rejects that item", async () => {
    const leases = new Leases("acme.worker");
    const items = leases.trackItems({ [Symbol.asyncIterator]: () => expect.unreachable() });
    await leases.drain(cutNow);

    const iterator = items[Symbol.asyncIterator]();

    expect(await refusal(iterator.next())).toMatchObject(gone);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("allows return() after a cut", async () => {
    const leases = new Leases("acme.worker");
    const iterator = leases.trackItems(counting(9))[Symbol.asyncIterator]();
    await iterator.next();
    await leases.drain(cutNow);

    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("cuts everything even if an iterator throws in return()", async () => {
    const leases = new Leases("acme.worker");
    const leave = (): never => {
      throw new Error("broken");
    };
    const items = { [Symbol.asyncIterator]: () => ({ next: () => never, return: leave }) };
    const next = refusal(leases.trackItems(items)[Symbol.asyncIterator]().next());
    const call = refusal(leases.track(never));

    expect(await leases.drain(cutNow)).toEqual({ drained: 0, cut: 2 });

    expect(await Promise.all([next, call])).toMatchObject([gone, gone]);
  });

  test("ignores the late result of a cut call", async () => {
    const leases = new Leases("acme.worker");
    const late = Promise.withResolvers<AsyncIterable<number>>();
    const call = refusal(leases.track(late.promise));
    await leases.drain(cutNow);

    late.resolve(counting(1));
    await call;
    await late.promise;

    expect(leases.size).toBe(0);
    expect(await leases.drain(cutNow)).toEqual({ drained: 0, cut: 1 });
  });

  test("waits for a call admitted as the last one ends", async () => {
    const leases = new Leases("acme.worker");
    const clock = new FakeClock();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const first = leases.track(gates[0].promise);
    const draining = leases.drain({ timeoutMs: 1_000, clock });
    gates[0].resolve();
    await first;

    let second: Promise<unknown> | undefined;
    const codes: unknown[] = [];
    for (let tick = 0; tick < 10; tick += 1) {
      await Promise.resolve();
      try {
        leases.admitPinned();
        second ??= leases.track(gates[1].promise);
      } catch (error) {
        codes.push(error);
      }
    }
    gates[1].resolve();

    await second;
    expect(await draining).toEqual({ drained: second === undefined ? 1 : 2, cut: 0 });
    expect(clock.pending).toBe(0);
    expect(codes.length).toBeGreaterThan(0);
  });
});

describe("leasedView()", () => {
  test("returns data and lists unchanged and evaluates getters on access", () => {
    let count = 0;
    const service = {
      name: "worker",
      tags: ["a"],
      get count() {
        return (count += 1);
      },
    };
    const view = leasedView(service, { leases: new Leases("acme.worker"), place });

    expect([view.name, view.tags, view.count, view.count]).toEqual(["worker", ["a"], 1, 2]);
    expect(Object.keys(view)).toEqual(["name", "tags", "count"]);
    expect(leasedView(["a"], { leases: new Leases("acme.worker"), place })).toEqual(["a"]);
  });

  test("does not run a getter of an ended generation", () => {
    const leases = new Leases("acme.worker");
    const service = {
      get version(): string {
        return expect.unreachable();
      },
    };
    const view = leasedView(service, { leases, place });

    leases.refuse();

    expect(() => view.version).toThrow(expect.objectContaining({ code: "GENERATION_GONE" }));
  });

  test("stays in its generation when pinned", async () => {
    const leases = new Leases("acme.worker");
    const say = { version: "old", say: async () => "old" };
    const pinned = leasedView(say, { leases, place, isPinned: true });
    const view = leasedView(say, { leases, place });

    leases.move(() => ({ version: "new", say: async () => "new" }));

    expect([await pinned.say(), pinned.version, await view.say(), view.version]).toEqual([
      "old",
      "old",
      "new",
      "new",
    ]);
  });
});
