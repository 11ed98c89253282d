import { expect, test } from "bun:test";
import fc from "fast-check";
import type { StorageGrant } from "../contract/capabilities.ts";
import { createKernel } from "../lifecycle/create-kernel.ts";
import type { KernelError } from "../failures/kernel-error.ts";
import { createStorageClient } from "./storage-client.ts";
import { storageDriverHandle, type Storage, type StorageWrite } from "../contract/storage.ts";
import { memoryDriver, type MemoryDriver } from "../testing/memory-driver.ts";
import { drivers, extension, phases, refusal } from "../testing/test-kernel.ts";

interface World {
  readonly driver: MemoryDriver;
  open(namespace: string, options?: OpenOptions): Storage;
}

interface OpenOptions {
  readonly grant?: true | StorageGrant;
  readonly extension?: string;
  readonly signal?: AbortSignal;
  readonly host?: object;
}

function newWorld(standard: true | StorageGrant = true): World {
  const driver = memoryDriver();
  const firstHost = {};
  const firstSignal = new AbortController().signal;
  return {
    driver,
    open: (
      namespace,
      { grant = standard, extension = "acme.notes", signal = firstSignal, host = firstHost } = {},
    ) => createStorageClient(namespace, { extension, grant, host, driver: () => driver, signal }),
  };
}

function text(bytes: number): string {
  return "x".repeat(bytes - 3);
}

const number = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;

function denied(message: string): Partial<KernelError> {
  return { code: "CAPABILITY_DENIED", extension: "acme.notes", message };
}

test("storage rejects a namespace without a grant and names the granted ones", () => {
  const world = newWorld({ namespaces: ["a", "b"] });

  expect(() => world.open("c")).toThrow(
    expect.objectContaining(denied('Cannot open storage "c" for "acme.notes": granted are "a", "b"')),
  );
  expect(() => world.open("a")).not.toThrow();
});

test("storage without a limit adds no driver calls", async () => {
  const world = newWorld({ namespaces: ["a"] });

  await world.open("a").set("k", text(1_000));

  expect(world.driver.calls).toEqual(["atomic"]);
});

test("storage accepts writes up to its limit and rejects one more byte", async () => {
  const world = newWorld({ maxBytes: 100 });
  const storage = world.open("a");
  await storage.set("k", text(60));

  const refused = await refusal(
    storage.atomic(
      [],
      [
        { kind: "set", key: "l", value: text(20) },
        { kind: "set", key: "m", value: text(21) },
      ],
    ),
  );
  await storage.set("l", text(40));

  expect(refused).toMatchObject(
    denied(
      'Cannot store in "a" for "acme.notes": it would hold more than the 100 bytes that are granted; delete something, or grant more',
    ),
  );
  expect([...world.driver.entries.keys()].filter((id) => !id.includes("$"))).toEqual([
    "acme.notes/a k",
    "acme.notes/a l",
  ]);
});

test("storage measures existing data once per activation", async () => {
  const world = newWorld({ maxBytes: 1_000 });
  const storage = world.open("a");
  const lists = (): number => world.driver.calls.filter((call) => call === "list").length;
  await storage.set("k", text(10));
  const counted = lists();

  for (const key of ["l", "m", "n"]) await storage.set(key, text(10));

  expect(counted).toBeGreaterThan(0);
  expect(lists()).toBe(counted);
});

test("storage counts UTF-8 bytes of keys and JSON", async () => {
  const world = newWorld({ maxBytes: 10 });

  expect(await refusal(world.open("a").set("é", "漢漢x"))).toMatchObject({ code: "CAPABILITY_DENIED" }); // 2 + 2 + 7
  await world.open("a").set("é", "漢漢"); // 2 + 2 + 6
});

test("storage counts overwrites and deletes within one commit", async () => {
  const storage = newWorld({ maxBytes: 100 }).open("a");
  await storage.set("k", text(90));
  await storage.set("k", text(100));
  await storage.atomic(
    [],
    [
      { kind: "set", key: "k", value: text(10) },
      { kind: "set", key: "k", value: text(20) },
      { kind: "set", key: "l", value: text(80) },
    ],
  );
  await storage.delete("l");
  await storage.set("m", text(80));

  expect(await refusal(storage.set("n", text(4)))).toMatchObject({ code: "CAPABILITY_DENIED" });
});

test("storage counts all namespaces of the extension, including unopened ones", async () => {
  const world = newWorld({ maxBytes: 100 });
  await world.open("a").set("k", text(60));
  const later = { host: {}, signal: new AbortController().signal };

  expect(await refusal(world.open("b").set("k", text(50)))).toMatchObject({ code: "CAPABILITY_DENIED" });
  expect(await refusal(world.open("b", later).set("k", text(50)))).toMatchObject({ code: "CAPABILITY_DENIED" });
  await world.open("b", { extension: "acme.other" }).set("k", text(100));
});

test("storage counts data from before the limit, and accepts shrinking writes", async () => {
  const world = newWorld({ maxBytes: 30_000 });
  const before = Array.from({ length: 2_500 }, (_, index): StorageWrite => {
    return { kind: "set", key: String(index).padStart(4, "0"), value: text(9) }; // 4 + 8 bytes
  });
  await world.open("a", { grant: true }).atomic([], before);
  const storage = world.open("a");

  expect(await refusal(storage.set("k", text(4)))).toMatchObject({
    message: expect.stringContaining("more than the 30000 bytes"),
  });
  const lowered = world.open("a", { grant: { maxBytes: 10 } });
  await lowered.delete("0000");
  await lowered.set("0001", "");
  expect(await refusal(lowered.set("0001", "x"))).toMatchObject({ code: "CAPABILITY_DENIED" });
  await storage.set("k", text(18));
});

test("storage serializes concurrent writes near the limit, across generations", async () => {
  const world = newWorld({ maxBytes: 100 });
  const next = world.open("a", { signal: new AbortController().signal });

  const results = await Promise.allSettled([
    world.open("a").set("k", text(60)),
    next.set("l", text(60)),
    world.open("b").set("m", text(60)),
  ]);

  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
});

test("storage rejects a commit whose joined batch exceeds its extension's limit", async () => {
  const world = newWorld({ maxBytes: 50 });
  const other = world.open("o", { extension: "acme.other", grant: true });
  const over = world.open("a").batch([], [{ kind: "set", key: "k", value: text(51) }]);
  const fits = world.open("a").batch([], [{ kind: "set", key: "k", value: text(50) }]);
  const own: StorageWrite = { kind: "set", key: "k", value: text(500) };

  expect(await refusal(other.atomic([], [own], { join: [over] }))).toMatchObject({ extension: "acme.notes" });
  expect(world.driver.entries.size).toBe(0);
  expect(await other.atomic([], [own], { join: [fits] })).toMatchObject({ kind: "committed" });
  expect(await refusal(world.open("a").set("l", text(4)))).toMatchObject({ code: "CAPABILITY_DENIED" });
});

test("storage of two limited extensions can join each other's batches concurrently", async () => {
  const world = newWorld({ maxBytes: 50 });
  const a = world.open("a");
  const b = world.open("b", { extension: "acme.other" });
  const write: StorageWrite = { kind: "set", key: "k", value: text(20) };

  const results = await Promise.all([
    a.atomic([], [write], { join: [b.batch([], [write])] }),
    b.atomic([], [write], { join: [a.batch([], [write])] }),
  ]);

  expect(results).toMatchObject([{ kind: "committed" }, { kind: "committed" }]);
});

test("storage keeps its count after a conflict, and recounts after a failed commit", async () => {
  const world = newWorld({ maxBytes: 100 });
  const storage = world.open("a");

  const conflict = await storage.atomic([{ key: "k", version: 7 }], [{ kind: "set", key: "k", value: text(90) }]);
  await storage.set("k", text(40));
  world.driver.failNext({ isStored: false });
  await refusal(storage.set("l", text(60)));
  world.driver.failNext({ isStored: true });
  await refusal(storage.set("m", text(50)));

  expect(conflict).toEqual({ kind: "conflict", key: "k" });
  expect(await refusal(storage.set("l", text(11)))).toMatchObject({ code: "CAPABILITY_DENIED" });
  await storage.set("l", text(10));
});

test("storage never exceeds its limit, and rejects only writes that would", async () => {
  const write = fc.record({
    kind: fc.constantFrom("set", "delete"),
    key: fc.constantFrom("a", "b", "c"),
    size: fc.integer({ min: 3, max: 60 }),
  });
  const property = fc.asyncProperty(
    fc.array(fc.array(write, { maxLength: 4 }), { maxLength: 12 }),
    async (commits) => {
      const world = newWorld({ maxBytes: 100 });
      const storage = world.open("a");
      const model = new Map<string, number>();
      for (const commit of commits) {
        const next = new Map(model);
        for (const { kind, key, size } of commit) {
          if (kind === "delete") next.delete(key);
          else next.set(key, size);
        }
        const isWithin = [...next.values()].reduce((total, size) => total + size, 0) <= 100;
        const isStored = await storage
          .atomic(
            [],
            commit.map(({ kind, key, size }) =>
              kind === "delete" ? { kind: "delete", key } : { kind: "set", key, value: text(size) },
            ),
          )
          .then(
            () => true,
            () => false,
          );
        expect(isStored).toBe(isWithin);
        if (!isStored) continue;
        model.clear();
        for (const [key, size] of next) model.set(key, size);
      }
      expect((await storage.list({}, number)).map(({ key }) => key)).toEqual([...model.keys()].toSorted());
    },
  );
  await fc.assert(property);
});

test("[granted-and-no-more] host.storage enforces namespaces and size in every activation", async () => {
  const driver = memoryDriver();
  const store = extension("acme.store", { provides: ["storage-driver@1"] }, (host) =>
    host.provideService(storageDriverHandle, driver),
  );
  const refused: unknown[] = [];
  const notes = extension("acme.notes", { capabilities: { storage: true } }, async (host) => {
    try {
      host.storage("other");
    } catch (error) {
      refused.push(error);
    }
    const storage = host.storage("a");
    await storage.set("k", text(80));
    refused.push(await refusal(storage.set("l", text(21))));
  });
  const kernel = createKernel({ drivers: drivers() });
  await kernel.add([
    { extension: store },
    { extension: notes, grant: { storage: { namespaces: ["a"], maxBytes: 100 } } },
  ]);
  await kernel.unload("acme.notes");
  await kernel.load("acme.notes");

  expect(phases(kernel)["acme.notes"]).toBe("active");
  expect(refused).toMatchObject([
    denied('Cannot open storage "other" for "acme.notes": granted are "a"'),
    { code: "CAPABILITY_DENIED", message: expect.stringContaining("more than the 100 bytes") },
    denied('Cannot open storage "other" for "acme.notes": granted are "a"'),
    { code: "CAPABILITY_DENIED", message: expect.stringContaining("more than the 100 bytes") },
  ]);
});
