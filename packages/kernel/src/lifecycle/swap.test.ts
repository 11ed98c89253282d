import { describe, expect, test } from "bun:test";
import type { Capabilities } from "../contract/capabilities.ts";
import type { Extension } from "../contract/extension.ts";
import { defineHandle, definePoint } from "../contract/handle.ts";
import type { Contributions, Host, ServiceReference } from "../contract/host.ts";
import { isAsyncIterable } from "../services/leases.ts";
import { extension, refusal } from "../testing/test-kernel.ts";
import {
  newWorld,
  noLuck,
  settle,
  timeouts,
  userOf,
  workerHandle,
  workerId,
  workerOf,
  type Worker,
} from "../testing/worker.ts";

const exclusive = { swap: "exclusive" } as const;

describe("swap() with overlap", () => {
  test("[swap-loses-nothing] lets running calls end in their generation; new calls use the new one", async () => {
    const { kernel, begin, worker, log, health } = await newWorld();
    const { call: long, release } = begin();

    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { log }) });
    await settle();

    expect(await worker.get().say()).toBe("2.0.0");
    expect(health()).toMatchObject({
      phase: "active",
      version: "2.0.0",
      generation: 2,
      callsInFlight: 0,
      draining: { version: "1.0.0", generation: 1, callsInFlight: 1 },
    });
    expect(log).toEqual(["1.0.0 starts", "2.0.0 starts"]);
    release();
    expect(await long).toBe("1.0.0");
    expect(await swapping).toMatchObject({
      outcome: "swapped",
      from: { version: "1.0.0", generation: 1 },
      to: { version: "2.0.0", generation: 2 },
      drained: 1,
      cut: 0,
    });
    expect(log).toEqual(["1.0.0 starts", "2.0.0 starts", "1.0.0 closed"]);
    expect(health()).not.toHaveProperty("draining");
    expect(health()).toHaveProperty("lastSwap.outcome", "swapped");
  });

  test("calls onTakeOver when the new generation takes over, and not when it fails", async () => {
    const { kernel, begin } = await newWorld();
    const { call, release } = begin();
    const taken: string[] = [];
    const swapTo = (next: Extension): Promise<unknown> =>
      kernel.swap(workerId, { extension: next, onTakeOver: () => taken.push(next.manifest.version) });

    const swapping = swapTo(workerOf("2.0.0"));
    await settle();
    expect(taken).toEqual(["2.0.0"]);
    release();
    await Promise.all([call, swapping]);
    await swapTo(
      workerOf("3.0.0", {
        onActivate: noLuck,
      }),
    );

    expect(taken).toEqual(["2.0.0"]);
  });

  test("routes calls and reads of a kept view to the newest generation", async () => {
    const { kernel, worker } = await newWorld();
    const kept = worker.get();

    for (const version of ["2.0.0", "3.0.0", "4.0.0"])
      await kernel.swap(workerId, { extension: workerOf(version) });

    expect([await kept.say(), kept.version]).toEqual(["4.0.0", "4.0.0"]);
    await kernel.unload(workerId);
    expect(() => kept.say()).toThrow(expect.objectContaining({ code: "GENERATION_GONE", retryable: true }));
  });

  test("does not restart dependants, and notifies them once", async () => {
    const { kernel, worker, health } = await newWorld();
    const seen: (string | undefined)[] = [];
    worker.onChange(() => void seen.push(worker.current?.version));

    await kernel.swap(workerId, { extension: workerOf("2.0.0") });

    expect(seen).toEqual(["2.0.0"]);
    expect(health("acme.user")).toMatchObject({ phase: "active", generation: 1 });
  });

  test("cuts calls at the deadline, with one error per caller", async () => {
    const { kernel, worker, clock, log } = await newWorld();
    const never = new Promise<never>(() => {});
    const call = refusal(worker.get().wait(never));
    const iterator = worker.get().items([never, never])[Symbol.asyncIterator]();
    const next = refusal(iterator.next());
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { log }) });

    await clock.advance(timeouts.drainTimeoutMs - 1);
    expect(log).not.toContain("1.0.0 closed");
    await clock.advance(1);

    expect(await swapping).toMatchObject({ outcome: "swapped", drained: 0, cut: 2 });
    const gone = { code: "GENERATION_GONE", retryable: true, extension: workerId };
    expect(await Promise.all([call, next])).toMatchObject([gone, gone]);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(log.at(-1)).toBe("1.0.0 closed");
  });

  const broken = Promise.withResolvers<never>();
  const failing: readonly (readonly [what: string, code: string, extension: Extension, lateMs?: number])[] = [
    ["throws", "ACTIVATE_FAILED", extension(workerId, { version: "2.0.0", provides: ["worker@1"] }, noLuck)],
    ["rejects", "ACTIVATE_FAILED", workerOf("2.0.0", { onActivate: () => Promise.reject(new Error("no luck")) })],
    ["is late", "ACTIVATE_TIMEOUT", workerOf("2.0.0", { onActivate: () => broken.promise }), 2_000],
    ["does not provide what it declares", "SERVICE_NOT_PROVIDED", extension(workerId, { provides: ["worker@1"] })],
    [
      "provides what it did not declare",
      "SERVICE_UNDECLARED",
      workerOf("2.0.0", { onActivate: (host) => host.provideService(defineHandle<object>("other@1"), {}) }),
    ],
    [
      "requires what nobody provides",
      "SERVICE_UNAVAILABLE",
      workerOf("2.0.0", { manifest: { dependsOn: { required: ["nobody@1"] } } }),
    ],
  ];
  for (const [what, code, next, lateMs = 0] of failing) {
    test(`keeps the old generation when the new one ${what}`, async () => {
      const { kernel, begin, worker, log, clock, health } = await newWorld();
      const { call, release } = begin();

      const swapping = kernel.swap(workerId, { extension: next });
      await clock.advance(lateMs);

      expect(await swapping).toMatchObject({ outcome: "kept-old", drained: 0, cut: 0, error: { code } });
      expect(health()).toMatchObject({ phase: "active", version: "1.0.0", generation: 1, callsInFlight: 1 });
      expect(await worker.get().say()).toBe("1.0.0");
      release();
      expect([await call, log]).toEqual(["1.0.0", ["1.0.0 starts"]]);
      expect(await kernel.swap(workerId, { extension: workerOf("3.0.0") })).toMatchObject({ outcome: "swapped" });
    });
  }

  const refused: readonly (readonly [what: string, code: string, extension: Extension])[] = [
    ["has another id", "MANIFEST_INVALID", extension("acme.other", { provides: ["worker@1"] })],
    ["has a bad manifest", "MANIFEST_INVALID", workerOf("2")],
    ["needs another kernel", "API_MISMATCH", workerOf("2.0.0", { manifest: { api: "^9" } })],
    [
      "provides what another one does",
      "DUPLICATE_SERVICE",
      workerOf("2.0.0", { manifest: { provides: ["worker@1", "taken@1"] } }),
    ],
    [
      "makes a cycle",
      "DEPENDENCY_CYCLE",
      workerOf("2.0.0", { manifest: { dependsOn: { required: ["of-user@1"] } } }),
    ],
  ];
  for (const [what, code, next] of refused) {
    test(`rejects a version that ${what}, and changes nothing`, async () => {
      const { kernel, worker } = await newWorld();
      await kernel.add([
        {
          extension: extension("acme.taken", { provides: ["taken@1"] }, (host) =>
            host.provideService(defineHandle<object>("taken@1"), {}),
          ),
        },
        {
          extension: extension(
            "acme.second",
            { provides: ["of-user@1"], dependsOn: { required: ["worker@1"] } },
            (host) => host.provideService(defineHandle<object>("of-user@1"), {}),
          ),
        },
      ]);
      const before = kernel.list();

      expect(await refusal(kernel.swap(workerId, { extension: next }))).toMatchObject({ code });

      expect(kernel.list()).toEqual(before);
      expect(await worker.get().say()).toBe("1.0.0");
    });
  }

  test("revokes the predecessor of a generation that did not start", async () => {
    const { kernel } = await newWorld();
    let before: ServiceReference<Worker> | undefined;
    const onActivate = (host: Host): void => {
      before = host.predecessor(workerHandle);
      expect(before.get().version).toBe("1.0.0");
      throw new Error("no luck");
    };

    await kernel.swap(workerId, { extension: workerOf("2.0.0", { onActivate }) });

    expect(before?.current).toBeUndefined();
  });

  test("exposes the predecessor to the new generation until it ends", async () => {
    const { kernel, begin } = await newWorld();
    const { call, release } = begin();
    const seen: (string | undefined)[] = [];
    let before: ServiceReference<Worker> | undefined;
    const onActivate = (host: Host): void => {
      before = host.predecessor(workerHandle);
      before.onChange(() => void seen.push(before?.current?.version));
    };

    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { onActivate }) });
    await settle();

    const kept = before?.get();
    expect(await kept?.say()).toBe("1.0.0");
    release();
    await swapping;
    expect([await call, seen, before?.current]).toEqual(["1.0.0", [undefined], undefined]);
    expect(() => kept?.say()).toThrow(expect.objectContaining({ code: "GENERATION_GONE" }));
  });

  test("waits for calls of the new generation into the old one", async () => {
    const { kernel, log } = await newWorld();
    const gate = Promise.withResolvers<void>();
    let call: Promise<string> | undefined;
    const onActivate = (host: Host): void => {
      call = host.predecessor(workerHandle).get().wait(gate.promise);
    };

    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { onActivate }) });
    await settle();
    expect(log).not.toContain("1.0.0 closed");
    gate.resolve();

    expect(await call).toBe("1.0.0");
    expect(await swapping).toMatchObject({ drained: 1, cut: 0 });
  });

  test("aborts host.draining of the old generation immediately, and host.signal on close", async () => {
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { kernel, worker } = await newWorld({
      onActivate: ({ draining, signal }) => {
        draining.addEventListener("abort", () => void log.push(`draining, aborted: ${signal.aborted}`));
        signal.addEventListener("abort", () => void log.push("closing"));
      },
    });
    const call = worker.get().wait(gate.promise);

    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0") });
    await settle();

    expect(log).toEqual(["draining, aborted: false"]);
    gate.resolve();
    await Promise.all([call, swapping]);
    expect(log).toEqual(["draining, aborted: false", "closing"]);
  });

  test("waits for work of host.waitUntil", async () => {
    const gate = Promise.withResolvers<void>();
    const { kernel, log, health } = await newWorld({ onActivate: (host) => host.waitUntil(gate.promise) });

    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0") });
    await settle();
    expect(log).toEqual(["1.0.0 starts"]);
    expect(health()).toMatchObject({ draining: { callsInFlight: 1 } });
    gate.reject(new Error("whoever does the work sees it"));

    expect(await swapping).toMatchObject({ drained: 1, cut: 0 });
  });
});

describe("swap() of an exclusive extension", () => {
  test("[swap-loses-nothing] holds calls while the old generation ends, then forwards them", async () => {
    const { kernel, begin, worker, log, health } = await newWorld({ manifest: exclusive });
    const kept = worker.get();
    const { call: before, release } = begin();
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { manifest: exclusive, log }) });
    await settle();
    expect(health()).toMatchObject({ phase: "draining", callsInFlight: 1 });

    const said = kept.say();
    const iterated = Array.fromAsync(worker.get().items([Promise.resolve()]));
    const nested = (async () => Array.fromAsync(await worker.get().open([Promise.resolve()])))();
    const nestedHeld = kept.wait(worker.get().say());
    await settle();
    expect(log).toEqual(["1.0.0 starts"]);
    release();

    expect(await before).toBe("1.0.0");
    expect(await Promise.all([said, iterated, nested, nestedHeld])).toEqual([
      "2.0.0",
      ["2.0.0"],
      ["2.0.0"],
      "2.0.0",
    ]);
    expect(await swapping).toMatchObject({ outcome: "swapped", drained: 1, cut: 0 });
    expect(log.filter((line) => !line.endsWith("iterated"))).toEqual([
      "1.0.0 starts",
      "1.0.0 closed",
      "2.0.0 starts",
    ]);
  });

  test("lets a held call be passed on and iterated, and ends an abandoned iteration", async () => {
    const passingHandle = defineHandle<Pick<Worker, "items">>("passing@1");
    const passing = extension(
      "acme.passing",
      { provides: ["passing@1"], dependsOn: { optional: ["worker@1"] } },
      (host) => {
        const reference = host.getService(workerHandle);
        host.provideService(passingHandle, { items: (gates) => reference.get().items(gates) });
      },
    );
    const { kernel, begin, worker, log } = await newWorld({ manifest: exclusive });
    await kernel.add([{ extension: passing }]);
    const { call: before, release } = begin();
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { manifest: exclusive, log }) });
    await settle();
    const ready = Promise.resolve();

    const passed = Array.fromAsync(kernel.service(passingHandle)?.items([ready, ready]) ?? []);
    const left = (async () => {
      for await (const version of worker.get().items([ready, ready])) return version;
      return undefined;
    })();
    await settle();
    release();

    expect(await Promise.all([before, passed, left])).toEqual(["1.0.0", ["2.0.0", "2.0.0"], "2.0.0"]);
    expect(await swapping).toMatchObject({ outcome: "swapped" });
    expect(log.filter((line) => line === "2.0.0 iterated")).toHaveLength(2);
  });

  test("causes no unhandled rejection when a held iteration fails or is not iterable", async () => {
    const { kernel, begin, worker, log } = await newWorld({ manifest: exclusive });
    const { call: before, release } = begin();
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { manifest: exclusive, log }) });
    await settle();

    const held: unknown = worker.get().say();
    if (!isAsyncIterable(held)) throw new Error("A held call can be iterated");
    const iterated = refusal(held[Symbol.asyncIterator]().next());
    held[Symbol.asyncIterator]();
    await settle();
    release();

    expect(await before).toBe("1.0.0");
    expect(await iterated).toMatchObject({ message: "It returned no iterable" });
    expect(await swapping).toMatchObject({ outcome: "swapped" });
  });

  test("forwards held calls in order, before later calls", async () => {
    const order: number[] = [];
    const notes = defineHandle<{ note(index: number): Promise<void> }>("notes@1");
    const noting = extension("acme.notes", { provides: ["notes@1"], ...exclusive }, async (host) => {
      await Promise.resolve();
      host.provideService(notes, { note: async (index) => void order.push(index) });
    });
    const { kernel } = await newWorld();
    await kernel.add([{ extension: noting }]);
    const kept = kernel.service(notes);
    const calls: (Promise<void> | undefined)[] = [];
    const swapping = kernel.swap("acme.notes");
    for (let index = 0; index < 100; index += 1) {
      calls.push(kept?.note(index));
      await Promise.resolve();
    }
    await Promise.all([swapping, ...calls]);

    expect(order).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  test("restarts the old code when the new one fails, and forwards held calls to it", async () => {
    const { kernel, begin, worker, log, health } = await newWorld({ manifest: exclusive });
    const { call: before, release } = begin();
    const swapping = kernel.swap(workerId, {
      extension: workerOf("2.0.0", { manifest: exclusive, log, onActivate: noLuck }),
    });
    await settle();
    const held = worker.get().say();
    const iterated = Array.fromAsync(worker.get().items([Promise.resolve()]));
    release();

    expect(await swapping).toMatchObject({
      outcome: "restored-old",
      to: { version: "2.0.0", generation: 2 },
      error: { code: "ACTIVATE_FAILED", message: expect.stringContaining("no luck") },
    });
    expect([await before, await held, await iterated]).toEqual(["1.0.0", "1.0.0", ["1.0.0"]]);
    expect(health()).toMatchObject({ phase: "active", version: "1.0.0", generation: 3 });
    expect(health("acme.user")).toMatchObject({ phase: "active", generation: 1 });
    expect(log.slice(0, 4)).toEqual(["1.0.0 starts", "1.0.0 closed", "2.0.0 starts", "2.0.0 closed"]);
  });

  test("rejects held calls when neither version starts, and dependants wait", async () => {
    let isBroken = false;
    const onActivate = (): void => {
      if (isBroken) throw new Error("the port is taken");
    };
    const { kernel, begin, worker, health } = await newWorld({ manifest: exclusive, onActivate });
    const { call: before, release } = begin();
    const kept = worker.get();
    isBroken = true;
    const swapping = kernel.swap(workerId);
    await settle();
    const held = refusal(kept.say());
    const iterated = refusal(Array.fromAsync(kept.items([])));
    release();

    expect(await swapping).toMatchObject({ outcome: "failed", error: { code: "ACTIVATE_FAILED" } });
    expect(await before).toBe("1.0.0");
    const unavailable = { code: "SERVICE_UNAVAILABLE", extension: workerId };
    expect([await held, await iterated]).toMatchObject([unavailable, unavailable]);
    expect(() => kept.say()).toThrow(expect.objectContaining({ code: "GENERATION_GONE" }));
    expect(worker.current).toBeUndefined();
    expect([health()?.phase, health("acme.user")?.phase]).toEqual(["failed", "waiting"]);
    isBroken = false;
    await kernel.load(workerId);
    expect([health()?.phase, health("acme.user")?.phase]).toEqual(["active", "active"]);
  });

  test("cuts calls at its own, shorter deadline", async () => {
    const { kernel, worker, clock } = await newWorld({ manifest: exclusive });
    const call = refusal(worker.get().wait(new Promise(() => {})));
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { manifest: exclusive }) });
    await clock.advance(timeouts.holdTimeoutMs);

    expect(await swapping).toMatchObject({ outcome: "swapped", drained: 0, cut: 1 });
    expect(await call).toMatchObject({ code: "GENERATION_GONE" });
    expect(await worker.get().say()).toBe("2.0.0");
  });

  test("lets another extension iterate a held call", async () => {
    const { kernel, begin } = await newWorld({ manifest: exclusive });
    const given = Promise.withResolvers<Worker>();
    const stranger = extension("acme.stranger", { dependsOn: { required: ["worker@1"] } }, (host) =>
      given.resolve(host.getService(workerHandle).get()),
    );
    await kernel.add([{ extension: stranger, trust: "standard" }]);
    const view = await given.promise;
    const { call: before, release } = begin();
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { manifest: exclusive }) });
    await settle();

    const items = Array.fromAsync(view.items([Promise.resolve()]));
    release();
    await Promise.all([before, swapping]);

    expect(await items).toEqual(["2.0.0"]);
  });

  test("rejects a held call of a service missing in the new version", async () => {
    const { kernel, begin, worker, health } = await newWorld({ manifest: exclusive });
    await kernel.unload("acme.user");
    const kept = worker.get();
    const { call: before, release } = begin();
    const swapping = kernel.swap(workerId, { extension: extension(workerId, { version: "2.0.0" }) });
    await settle();
    const held = refusal(kept.say());
    release();
    await Promise.all([before, swapping]);

    expect(await held).toMatchObject({ code: "GENERATION_GONE", extension: workerId });
    expect(health()).toMatchObject({ version: "2.0.0", phase: "active" });
  });
});

describe("swap() and concurrent operations", () => {
  test("serializes swaps of an extension until the old generation has ended", async () => {
    const { kernel, begin, log } = await newWorld();
    const { call, release } = begin();
    const first = kernel.swap(workerId, { extension: workerOf("2.0.0", { log }) });
    const second = kernel.swap(workerId, { extension: workerOf("3.0.0", { log }) });
    await settle();
    expect(log).toEqual(["1.0.0 starts", "2.0.0 starts"]);

    release();

    expect(await Promise.all([first, second, call])).toMatchObject([
      { from: { generation: 1 }, to: { generation: 2 } },
      { from: { generation: 2 }, to: { generation: 3 } },
      "1.0.0",
    ]);
    expect(log).toEqual(["1.0.0 starts", "2.0.0 starts", "1.0.0 closed", "3.0.0 starts", "2.0.0 closed"]);
  });

  test("waits for a queued swap", async () => {
    const { kernel, worker, log } = await newWorld();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const calls = [worker.get().wait(gates[0]?.promise ?? Promise.resolve())];
    const first = kernel.swap(workerId, { extension: workerOf("2.0.0", { log }) });
    const second = kernel.swap(workerId, { extension: workerOf("3.0.0", { log }) });
    await settle();
    calls.push(worker.get().wait(gates[1]?.promise ?? Promise.resolve()));
    gates[0]?.resolve();
    await first;

    const third = kernel.swap(workerId, { extension: workerOf("4.0.0", { log }) });
    await settle();

    expect(log).not.toContain("4.0.0 starts");
    gates[1]?.resolve();
    expect(await Promise.all([second, third])).toMatchObject([{ outcome: "swapped" }, { outcome: "swapped" }]);
    expect(await Promise.all(calls)).toEqual(["1.0.0", "2.0.0"]);
  });

  test("runs after a rejected swap", async () => {
    const { kernel } = await newWorld();
    const first = refusal(kernel.swap(workerId, { extension: workerOf("bad") }));
    const second = kernel.swap(workerId, { extension: workerOf("3.0.0") });

    expect(await first).toMatchObject({ code: "MANIFEST_INVALID" });
    expect(await second).toMatchObject({ outcome: "swapped" });
  });

  test("runs while another extension drains", async () => {
    const { kernel, begin } = await newWorld();
    const { call, release } = begin();
    const first = kernel.swap(workerId, { extension: workerOf("2.0.0") });

    const second = await kernel.swap("acme.user");

    expect(second).toMatchObject({ outcome: "swapped", to: { generation: 2 } });
    release();
    expect([await call, await first]).toMatchObject(["1.0.0", { outcome: "swapped", drained: 1 }]);
  });

  test("unload() ends the draining generation too, and cuts its calls after the grace period", async () => {
    const { kernel, begin, worker, log, clock, health } = await newWorld();
    const { call: quick, release } = begin();
    const stuck = refusal(worker.get().wait(new Promise(() => {})));
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { log }) });
    await settle();

    const unloading = kernel.unload(workerId);
    await settle();
    release();
    await clock.advanceUntil(unloading);

    expect(await quick).toBe("1.0.0");
    expect(await stuck).toMatchObject({ code: "GENERATION_GONE" });
    expect(await swapping).toMatchObject({ outcome: "swapped", drained: 1, cut: 1 });
    expect(log).toEqual(["1.0.0 starts", "2.0.0 starts", "1.0.0 closed", "2.0.0 closed"]);
    expect([health()?.phase, health("acme.user")?.phase]).toEqual(["stopped", "waiting"]);
  });

  test("unload() stops dependants before it ends the draining generation", async () => {
    const { kernel, begin, log } = await newWorld();
    const { call, release } = begin();
    await kernel.add([
      {
        extension: extension("acme.late", { dependsOn: { required: ["worker@1"] } }, (host) => {
          host.defer("calls", async () => {
            release();
            log.push(`late has ${await call}`);
          });
        }),
      },
    ]);
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { log }) });
    await settle();

    await kernel.unload(workerId);

    expect(log).toEqual(["1.0.0 starts", "2.0.0 starts", "late has 1.0.0", "1.0.0 closed", "2.0.0 closed"]);
    expect(await swapping).toMatchObject({ drained: 1, cut: 0 });
  });

  test("close() during draining stops everything and closes each scope once", async () => {
    const { kernel, worker, log, clock } = await newWorld();
    const stuck = refusal(worker.get().wait(new Promise(() => {})));
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { log }) });
    const waiting = refusal(kernel.swap(workerId, { extension: workerOf("3.0.0", { log }) }));
    await settle();

    await clock.advanceUntil(kernel.close());

    expect(await stuck).toMatchObject({ code: "GENERATION_GONE" });
    expect(await swapping).toMatchObject({ outcome: "swapped", cut: 1 });
    expect(await waiting).toMatchObject({ code: "SCOPE_CLOSED" });
    expect(log).toEqual(["1.0.0 starts", "2.0.0 starts", "1.0.0 closed", "2.0.0 closed"]);
    expect([kernel.list().map(({ phase }) => phase), clock.pending]).toEqual([["stopped", "stopped"], 0]);
  });

  test("close() during an exclusive swap does not wait for its deadline", async () => {
    const { kernel, worker, log, clock } = await newWorld({ manifest: exclusive });
    const stuck = refusal(worker.get().wait(new Promise(() => {})));
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { manifest: exclusive, log }) });
    await settle();
    const held = worker.get().say();

    const startedAt = clock.now();
    await clock.advanceUntil(kernel.close());

    expect(clock.now() - startedAt).toBeLessThan(timeouts.holdTimeoutMs);
    expect([await stuck, await held]).toMatchObject([{ code: "GENERATION_GONE" }, "2.0.0"]);
    expect(await swapping).toMatchObject({ cut: 1 });
    expect(log).toEqual(["1.0.0 starts", "1.0.0 closed", "2.0.0 starts", "2.0.0 closed"]);
    expect(clock.pending).toBe(0);
  });

  test("remove() during a swap unregisters both generations", async () => {
    const { kernel, worker, log, clock } = await newWorld();
    const stuck = refusal(worker.get().wait(new Promise(() => {})));
    const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0", { log }) });
    await settle();

    await clock.advanceUntil(kernel.remove(workerId));
    await Promise.all([swapping, stuck]);

    expect(kernel.list().map(({ id }) => id)).toEqual(["acme.user"]);
    expect(log.filter((line) => line.endsWith("closed"))).toEqual(["1.0.0 closed", "2.0.0 closed"]);
  });
});

describe("swap() with changed services", () => {
  test("stops dependants of a removed service in order, and they restart with it", async () => {
    const { kernel, worker, log, health } = await newWorld();
    const onStop = (name: string) => (reference: ServiceReference<Worker>, host: Host) => {
      host.defer("say", async () => void log.push(`${name} stops with ${await reference.get().say()}`));
    };
    const second = extension(
      "acme.second",
      { provides: ["second@1"], dependsOn: { required: ["worker@1"] } },
      (host) => {
        onStop("second")(host.getService(workerHandle), host);
        host.provideService(defineHandle<object>("second@1"), {});
      },
    );
    const third = extension("acme.third", { dependsOn: { required: ["second@1"] } }, (host) =>
      host.defer("log", () => void log.push("third stops")),
    );
    await kernel.add([{ extension: second }, { extension: third }]);

    await kernel.swap(workerId, { extension: extension(workerId, { version: "2.0.0" }) });

    expect(log).toEqual(["1.0.0 starts", "third stops", "second stops with 1.0.0", "1.0.0 closed"]);
    expect(worker.current).toBeUndefined();
    expect(health("acme.third")).toMatchObject({ phase: "waiting", waitsFor: ["second@1"] });
    expect(health("acme.second")).toMatchObject({ phase: "waiting", waitsFor: ["worker@1"] });
    await kernel.swap(workerId, { extension: workerOf("3.0.0") });
    expect(kernel.list().map(({ phase }) => phase)).toEqual(Array(4).fill("active"));
  });

  test("keeps dependants when the version without the service does not start", async () => {
    const { kernel, health } = await newWorld();
    const broken = extension(workerId, { version: "2.0.0" }, noLuck);

    expect(await kernel.swap(workerId, { extension: broken })).toMatchObject({ outcome: "kept-old" });

    expect(health("acme.user")).toMatchObject({ phase: "active", generation: 1 });
  });

  test("starts extensions that waited for a new service", async () => {
    const { kernel, health } = await newWorld();
    await kernel.add([{ extension: extension("acme.waiting", { dependsOn: { required: ["extra@1"] } }) }]);
    const onActivate = (host: Host): void => host.provideService(defineHandle<object>("extra@1"), {});

    const next = workerOf("2.0.0", { manifest: { provides: ["worker@1", "extra@1"] }, onActivate });
    await kernel.swap(workerId, { extension: next });

    expect(health("acme.waiting")).toMatchObject({ phase: "active" });
  });

  test("loads a stopped extension", async () => {
    const { kernel, health } = await newWorld();
    await kernel.unload(workerId);

    expect(await kernel.swap(workerId, { extension: workerOf("2.0.0") })).toMatchObject({
      outcome: "loaded",
      from: { version: "1.0.0", generation: 1 },
      to: { version: "2.0.0", generation: 2 },
    });
    expect(health("acme.user")).toMatchObject({ phase: "active" });
  });
});

describe("swap() and grants", () => {
  const id = "acme.greedy";
  const asking = (version: string, capabilities: Capabilities): Extension =>
    extension(id, { version, capabilities });

  test("limits new code to the grant of the old code", async () => {
    const { kernel, health } = await newWorld();
    const first = asking("1.0.0", { spawn: true, env: ["A"], listen: true });
    await kernel.add([{ extension: first, grant: { spawn: ["git"], env: ["A"] }, trust: "standard" }]);

    const second = asking("2.0.0", { spawn: ["git", "sh"], env: true, net: true, system: true });
    await kernel.swap(id, { extension: second });

    expect(health(id)).toMatchObject({ version: "2.0.0", trust: "standard" });
    expect(health(id)?.granted).toEqual({ spawn: ["git"], env: ["A"] });
  });

  test("limits new code to the grant of a stopped extension", async () => {
    const { kernel, health } = await newWorld();
    await kernel.add([{ extension: asking("1.0.0", {}), trust: "standard", isDisabled: true }]);

    await kernel.swap(id, { extension: asking("2.0.0", { listen: true }) });

    expect(health(id)).toMatchObject({ phase: "active", trust: "standard" });
    expect(health(id)?.granted).toEqual({});
  });

  test("applies an explicit grant beyond the old one", async () => {
    const { kernel, health } = await newWorld();
    await kernel.add([{ extension: asking("1.0.0", { spawn: ["git"] }), grant: {}, trust: "standard" }]);

    const second = asking("2.0.0", { spawn: ["git"], listen: true });
    await kernel.swap(id, { extension: second, grant: { spawn: true, listen: true }, trust: "core" });

    expect(health(id)?.trust).toBe("core");
    expect(health(id)?.granted).toEqual({ spawn: ["git"], listen: true });
  });
});

describe("swap() and contributions", () => {
  interface Word {
    readonly name: string;
    text(): Promise<string>;
  }
  const point = definePoint<Word>("words@1", { key: "name" });
  const writer = (id: string, version: string, names: readonly string[]): Extension =>
    extension(id, { version, contributes: ["words@1"] }, (host) => {
      for (const name of names) host.contribute(point, { name, text: async () => `${name} ${version}` });
    });
  const names = (words: Contributions<Word> | undefined): readonly string[] | undefined =>
    words?.current.map(({ extension: id, value: { name } }) => `${id} ${name}`);

  async function reading(): Promise<{
    readonly world: Awaited<ReturnType<typeof newWorld>>;
    readonly words: Contributions<Word>;
  }> {
    const world = await newWorld();
    const given = Promise.withResolvers<Contributions<Word>>();
    const reader = extension("acme.reader", { reads: ["words@1"] }, (host) =>
      given.resolve(host.contributions(point)),
    );
    await world.kernel.add([
      { extension: writer("acme.a", "1.0.0", ["x"]) },
      { extension: writer("acme.b", "1.0.0", ["x", "y"]) },
      { extension: writer("acme.c", "1.0.0", ["x"]) },
      { extension: reader },
    ]);
    return { world, words: await given.promise };
  }

  test("keeps the position of contributions without a gap", async () => {
    const { world, words } = await reading();
    const seen: (readonly string[] | undefined)[] = [];
    words.onChange(() => void seen.push(names(words)));

    await world.kernel.swap("acme.b", { extension: writer("acme.b", "2.0.0", ["y", "z"]) });

    const expected = ["acme.a x", "acme.b y", "acme.b z", "acme.c x"];
    expect([seen, names(words)]).toEqual([[expected], expected]);
  });

  test("routes a kept value to the same key, and throws without one", async () => {
    const { world, words } = await reading();
    const [x, y] = words.current.filter(({ extension: id }) => id === "acme.b");

    await world.kernel.swap("acme.b", { extension: writer("acme.b", "2.0.0", ["z", "y"]) });

    expect(await y?.value.text()).toBe("y 2.0.0");
    expect(() => x?.value.text()).toThrow(expect.objectContaining({ code: "GENERATION_GONE" }));
  });

  test("keeps contributions that a listener adds during the switch", async () => {
    const { world, words } = await reading();
    const mood = defineHandle<{ readonly version: string }>("mood@1");
    let writing: Host | undefined;
    const both = (version: string): Extension =>
      extension("acme.z", { version, provides: ["mood@1"], contributes: ["words@1"] }, (host) => {
        writing = host;
        host.provideService(mood, { version });
        host.contribute(point, { name: "first", text: async () => version });
      });
    const listener = extension("acme.listener", { dependsOn: { optional: ["mood@1"] } }, (host) => {
      host.getService(mood).onChange(() => {
        writing?.contribute(point, { name: "second", text: async () => "late" });
      });
    });
    await world.kernel.add([{ extension: listener }]);
    await world.kernel.add([{ extension: both("1.0.0") }]);
    expect(names(words)?.slice(-2)).toEqual(["acme.z first", "acme.z second"]);

    await world.kernel.swap("acme.z", { extension: both("2.0.0") });

    expect(names(words)?.slice(-2)).toEqual(["acme.z first", "acme.z second"]);
  });

  test("matches values without a key by their index at the point", async () => {
    const { world } = await reading();
    const plain = definePoint<() => Promise<string>>("plain@1");
    const other = definePoint<() => Promise<string>>("other@1");
    const given = Promise.withResolvers<Contributions<() => Promise<string>>>();
    const contributing = (version: string, hasOther: boolean): Extension =>
      extension("acme.plain", { version, contributes: ["plain@1", "other@1"] }, (host) => {
        if (hasOther) host.contribute(other, async () => `other ${version}`);
        host.contribute(plain, async () => `plain ${version}`);
      });
    await world.kernel.add([
      { extension: contributing("1.0.0", false) },
      {
        extension: extension("acme.plain-reader", { reads: ["plain@1"] }, (host) =>
          given.resolve(host.contributions(plain)),
        ),
      },
    ]);
    const [kept] = (await given.promise).current;

    await world.kernel.swap("acme.plain", { extension: contributing("2.0.0", true) });

    expect(await kept?.value()).toBe("plain 2.0.0");
  });
});

test("swap() leaks nothing over 1,000 swaps", async () => {
  const { kernel, worker, clock } = await newWorld();
  const kept = worker.get();
  const generations: WeakRef<object>[] = [];
  const next = (version: string): Extension =>
    workerOf(version, { onActivate: (host) => void generations.push(new WeakRef(host)) });
  for (let count = 1; count <= 1_000; count += 1) {
    await kernel.swap(workerId, { extension: next(`1.0.${count}`) });
    if (count % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 0)); // Lets WeakRef targets go.
  }
  const alive = (): number => generations.filter((generation) => generation.deref() !== undefined).length;
  // A stale stack slot can keep a target alive through one collection, so retry.
  for (let tries = 0; tries === 0 || (tries < 20 && alive() >= 60); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    Bun.gc(true);
  }

  expect(alive()).toBeLessThan(60);
  expect([await kept.say(), kept.version, clock.pending]).toEqual(["1.0.1000", "1.0.1000", 0]);
});

test("swap() removes the old generation's listeners and keeps the new generation's", async () => {
  const { kernel } = await newWorld();
  const told: number[] = [];
  let generation = 0;
  await kernel.remove("acme.user");
  const user = userOf((reference) => {
    const own = (generation += 1);
    reference.onChange(() => void told.push(own));
  });
  await kernel.add([{ extension: user }]);
  for (let count = 0; count < 10; count += 1) await kernel.swap("acme.user");

  await kernel.swap(workerId, { extension: workerOf("2.0.0") });

  expect(told).toEqual([11]);
});

test("load() of an unloaded dependant makes references to its services usable again", async () => {
  const { kernel } = await newWorld();
  const seen: string[] = [];
  await kernel.remove("acme.user");
  await kernel.add([{ extension: userOf((reference) => void seen.push(reference.get().version)) }]);
  await kernel.swap(workerId, { extension: workerOf("2.0.0") });

  await kernel.unload("acme.user");
  await kernel.load("acme.user");

  expect(seen).toEqual(["1.0.0", "2.0.0"]);
});
