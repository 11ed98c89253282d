import { expect, test } from "bun:test";
import * as z from "zod";
import type { Log } from "../contract/capabilities.ts";
import { createKernel } from "./create-kernel.ts";
import { FakeClock } from "../time/fake-clock.ts";
import type { Host } from "../contract/host.ts";
import { storageDriverHandle } from "../contract/storage.ts";
import { memoryDriver } from "../testing/memory-driver.ts";
import { drivers, extension, refusal } from "../testing/test-kernel.ts";
import { newWorld, settle, timeouts, workerId, workerOf } from "../testing/worker.ts";

test("health records a timer's error or rejection, and the host continues", async () => {
  let worker: Host | undefined;
  const { clock, health } = await newWorld({
    onActivate: (host) => {
      worker = host;
    },
  });
  const ran: string[] = [];

  worker?.clock.setTimer(() => {
    throw new Error("from a timer");
  }, 10);
  worker?.clock.setTimer(() => void ran.push("next"), 10);
  await clock.advance(10);

  expect(health()).toMatchObject({
    phase: "active",
    lastError: { code: "UNCAUGHT", message: expect.stringContaining("from a timer") },
  });
  expect(ran).toEqual(["next"]);
  const broken = (): Promise<never> => Promise.reject(new Error("from its promise"));
  // oxlint-disable-next-line typescript/no-misused-promises -- under test
  worker?.clock.setTimer(broken, 10);
  await clock.advance(10);
  expect(health()).toMatchObject({ lastError: { message: expect.stringContaining("from its promise") } });
});

test("health keeps uncaught errors of the current start and clears earlier ones", async () => {
  const { kernel, clock, health } = await newWorld();
  const careless = workerOf("2.0.0", {
    onActivate: async (host) => {
      host.clock.setTimer(() => {
        throw new Error("early");
      }, 10);
      await new Promise<void>((resolve) => void host.clock.setTimer(resolve, 20));
    },
  });

  await clock.advanceUntil(kernel.swap(workerId, { extension: careless }));
  expect(health()).toMatchObject({ phase: "active", generation: 2, lastError: { code: "UNCAUGHT" } });

  await kernel.swap(workerId, { extension: workerOf("3.0.0") });
  expect(health()?.lastError).toBeUndefined();
});

test("host.clock cancels timers of an ended generation and rejects new ones", async () => {
  let old: Host | undefined;
  const ran: string[] = [];
  const { kernel, clock } = await newWorld({
    onActivate: (host) => {
      old ??= host;
      host.clock.setTimer(() => void ran.push("started"), 1_000);
    },
  });

  await kernel.swap(workerId, { extension: workerOf("2.0.0") });
  old?.clock.setTimer(() => void ran.push("late"), 10);
  await clock.advance(2_000);

  expect([ran, clock.pending]).toEqual([[], 0]);
});

test("host.clock keeps calling timers of a draining generation", async () => {
  const { kernel, worker, clock } = await newWorld({
    onActivate: (host) => host.waitUntil(new Promise<void>((resolve) => void host.clock.setTimer(resolve, 1_000))),
  });
  const swapping = kernel.swap(workerId, { extension: workerOf("2.0.0") });

  await clock.advance(1_000);

  expect(await swapping).toMatchObject({ drained: 1, cut: 0, tookMs: 1_000 });
  expect(await worker.get().say()).toBe("2.0.0");
});

test("health counts refusals across generations, newest first, each logged once", async () => {
  const clock = new FakeClock();
  const warnings: string[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (message) => void warnings.push(message),
    error: () => {},
  };
  const kernel = createKernel({ drivers: { ...drivers(clock), log: () => log }, ...timeouts });
  const greedy = extension(
    "acme.greedy",
    { capabilities: { storage: { namespaces: ["notes"] } } },
    async (host) => {
      await refusal(host.net.fetch("https://api.acme.dev"));
      await refusal(host.fs.readFile("/etc/passwd", { cwd: "/", maxBytes: 1, timeoutMs: 1 }));
      await refusal(host.net.fetch("https://api.acme.dev"));
      await refusal((async () => host.storage("other"))());
    },
  );
  const driver = extension("acme.store", { provides: ["storage-driver@1"] }, (host) =>
    host.provideService(storageDriverHandle, memoryDriver()),
  );
  await kernel.add([{ extension: greedy }, { extension: driver }]);
  await kernel.swap("acme.greedy");

  const report = kernel.list().find(({ id }) => id === "acme.greedy")?.refusals;

  expect(report?.count).toBe(8);
  expect(report?.latest.map(({ message, count }) => [message.split(" for ")[0], count])).toEqual([
    ['Cannot open storage "other"', 2],
    ['Cannot fetch "https://api.acme.dev"', 4],
    ['Cannot read "/etc/passwd"', 2],
  ]);
  expect(warnings).toHaveLength(3);
});

test("health counts a write over the storage limit as a refusal", async () => {
  const kernel = createKernel({ drivers: drivers(), ...timeouts });
  let host: Host | undefined;
  const small = extension("acme.small", { capabilities: { storage: { maxBytes: 16 } } }, (given) => {
    host = given;
  });
  await kernel.add([{ extension: small }]);
  expect(kernel.list()).toMatchObject([{ phase: "waiting", waitsFor: ["storage-driver@1"] }]);
  await kernel.add([
    {
      extension: extension("acme.store", { provides: ["storage-driver@1"] }, (given) =>
        given.provideService(storageDriverHandle, memoryDriver()),
      ),
    },
  ]);
  const storage = host?.storage("notes");

  expect(await refusal(storage?.set("long", "x".repeat(100)) ?? Promise.resolve())).toMatchObject({
    code: "CAPABILITY_DENIED",
  });

  expect(kernel.list().find(({ id }) => id === "acme.small")?.refusals).toMatchObject({ count: 1 });
});

test("health keeps a failed release until the next start", async () => {
  const { kernel, health } = await newWorld({
    onActivate: (host) =>
      host.defer("stuck", () => {
        throw new Error("broken");
      }),
  });

  await kernel.swap(workerId, { extension: workerOf("2.0.0") });
  expect(health()).toMatchObject({ phase: "active", lastError: { code: "RELEASE_FAILED" } });
  await kernel.swap(workerId, { extension: workerOf("3.0.0") });

  expect(health()).not.toHaveProperty("lastError");
});

test("health reports usedBy and waitsFor during a start", async () => {
  const gate = Promise.withResolvers<void>();
  const { kernel, health } = await newWorld();
  expect(health()?.usedBy).toEqual(["acme.user"]);

  const adding = kernel.add([{ extension: extension("acme.slow", {}, () => gate.promise) }]);
  await settle();
  expect(health("acme.slow")).toMatchObject({ phase: "starting", generation: 1 });
  gate.resolve();
  await adding;

  expect(health("acme.slow")).toMatchObject({ phase: "active" });
});

test("health counts unreadable records, each logged once", async () => {
  const errors: string[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (message) => void errors.push(message),
  };
  const kernel = createKernel({ drivers: { ...drivers(), log: () => log }, ...timeouts });
  const reader = extension("acme.reader", { capabilities: { storage: true } }, async (host) => {
    const notes = host.storage("notes");
    await notes.set("one", 1);
    await notes.set("two", 2);
    for (const key of ["one", "two", "one"]) await refusal(notes.get(key, z.string()));
  });
  const driver = extension("acme.store", { provides: ["storage-driver@1"] }, (host) =>
    host.provideService(storageDriverHandle, memoryDriver()),
  );
  await kernel.add([{ extension: reader }, { extension: driver }]);

  const damage = kernel.list().find(({ id }) => id === "acme.reader")?.damage;

  expect(errors).toHaveLength(2);
  expect(damage).toEqual({ count: 2, first: errors[0] ?? "" });
});

test("host.waitUntil throws after its extension is unloaded", async () => {
  let host: Host | undefined;
  const kernel = createKernel({ drivers: drivers(), ...timeouts });
  const late = extension("acme.late", {}, (given) => void (host = given));
  await kernel.add([{ extension: late }]);
  await kernel.unload("acme.late");

  expect(() => host?.waitUntil(Promise.resolve())).toThrow(expect.objectContaining({ code: "SCOPE_CLOSED" }));
});
