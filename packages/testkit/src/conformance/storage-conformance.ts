import type { NamespacedCheck, NamespacedWrite, StorageChange, StorageDriver } from "@incipit/kernel";
import { expect } from "bun:test";
import fc from "fast-check";
import { declareSuite } from "./declare-suite.ts";

export interface StorageConformanceOptions {
  readonly open: () => Promise<StorageDriver & AsyncDisposable>;
  /** Known gaps with reasons; an outdated entry fails. */
  readonly lacks?: Readonly<Partial<Record<StoragePromise, string>>>;
}

const set = (key: string, value: string | number, namespace = "a"): NamespacedWrite => ({
  kind: "set",
  namespace,
  key,
  value,
});
const remove = (key: string, namespace = "a"): NamespacedWrite => ({ kind: "delete", namespace, key });
const check = (key: string, version: number | null, namespace = "a"): NamespacedCheck => ({
  namespace,
  key,
  version,
});
const keys = (entries: readonly { readonly key: string }[]): readonly string[] => entries.map((entry) => entry.key);
const keyArbitrary = fc
  .string({ unit: "binary", minLength: 1, maxLength: 6 })
  .filter((key) => !key.includes("\u0000"));

const promises = {
  "get gives what was set, with its version, and nothing for another key": async (store) => {
    const value = { text: "é 漢 🎉 \u0000 \ud800", list: [1, null, true], nested: { a: "" } };
    await store.atomic([], [{ kind: "set", namespace: "a", key: "k", value }]);
    const entry = await store.get("a", "k");
    expect(entry?.value).toEqual(value);
    expect(entry?.version).toBeGreaterThan(0);
    expect(await store.get("a", "other")).toBeUndefined();
  },
  "list orders keys by their UTF-8 bytes": async (store) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(keyArbitrary, { maxLength: 12 }), async (unordered) => {
        const namespace = `order-${run++}`;
        await store.atomic(
          [],
          unordered.map((key) => set(key, 1, namespace)),
        );
        expect(keys(await store.list(namespace, {}))).toEqual(unordered.toSorted(compareBytes));
      }),
      { numRuns: 50 },
    );
  },
  "list with a prefix gives exactly the keys that begin with it": async (store) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(keyArbitrary, { maxLength: 12 }),
        fc.string({ unit: "binary", maxLength: 2 }),
        async (all, prefix) => {
          fc.pre(!prefix.includes("\u0000"));
          const namespace = `prefix-${run++}`;
          await store.atomic(
            [],
            all.map((key) => set(key, 1, namespace)),
          );
          expect(keys(await store.list(namespace, { prefix }))).toEqual(
            all.filter((key) => key.startsWith(prefix)).toSorted(compareBytes),
          );
        },
      ),
      { numRuns: 50 },
    );
  },
  "list pages by start, end, limit and reverse": async (store) => {
    await store.atomic(
      [],
      ["a", "b", "c", "d", "e"].map((key) => set(key, 1)),
    );
    expect(keys(await store.list("a", { start: "b", end: "e" }))).toEqual(["b", "c", "d"]);
    expect(keys(await store.list("a", { start: "b", limit: 2 }))).toEqual(["b", "c"]);
    expect(keys(await store.list("a", { reverse: true, limit: 2 }))).toEqual(["e", "d"]);
    expect(keys(await store.list("a", { end: "c", reverse: true }))).toEqual(["b", "a"]);
  },
  "list gives 100 when no limit is named, and 1,000 at most": async (store) => {
    await store.atomic(
      [],
      Array.from({ length: 1_200 }, (_, index) => set(`k${index}`, index)),
    );
    expect(await store.list("a", {})).toHaveLength(100);
    expect(await store.list("a", { limit: 5_000 })).toHaveLength(1_000);
  },
  "atomic commits only when every checked key has its version": async (store) => {
    const first = await store.atomic([check("k", null)], [set("k", 1)]);
    expect(first.kind).toBe("committed");
    expect(await store.atomic([check("k", null)], [set("k", 2)])).toEqual({ kind: "conflict", key: "k" });
    const version = (await store.get("a", "k"))?.version ?? 0;
    expect(await store.atomic([check("k", version)], [set("k", 3)])).toMatchObject({ kind: "committed" });
    expect(await store.atomic([check("k", version)], [set("k", 4)])).toEqual({ kind: "conflict", key: "k" });
    expect((await store.get("a", "k"))?.value).toBe(3);
  },
  "atomic writes all or nothing, over several namespaces": async (store) => {
    await store.atomic([], [set("k", 1)]);
    const refused = await store.atomic([check("k", null)], [set("x", 1), set("y", 1, "b"), remove("k")]);
    expect(refused.kind).toBe("conflict");
    expect([await store.get("a", "x"), await store.get("b", "y")]).toEqual([undefined, undefined]);
    expect((await store.get("a", "k"))?.value).toBe(1);
    await store.atomic([], [set("x", 1), set("y", 2, "b"), remove("k")]);
    expect([(await store.get("a", "x"))?.value, (await store.get("b", "y"))?.value]).toEqual([1, 2]);
    expect(await store.get("a", "k")).toBeUndefined();
  },
  "a version is never used again, also after a delete": async (store) => {
    await store.atomic([], [set("k", 1)]);
    const before = (await store.get("a", "k"))?.version ?? 0;
    await store.atomic([], [remove("k")]);
    await store.atomic([], [set("k", 1)]);
    expect((await store.get("a", "k"))?.version).toBeGreaterThan(before);
  },
  "of writers that check the same version, one wins": async (store) => {
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.atomic([check("k", null)], [set("k", index)])),
    );
    expect(results.filter((result) => result.kind === "committed")).toHaveLength(1);
  },
  "namespaces do not see each other": async (store) => {
    await store.atomic([], [set("k", 1, "a"), set("k", 2, "ab")]);
    expect(keys(await store.list("a", {}))).toEqual(["k"]);
    expect((await store.get("a", "k"))?.value).toBe(1);
    await store.atomic([], [remove("k", "a")]);
    expect((await store.get("ab", "k"))?.value).toBe(2);
  },
  "a read during writes sees whole transactions only": async (store) => {
    const writes = Array.from({ length: 50 }, (_, index) => store.atomic([], [set("x", index), set("y", index)]));
    const reads = Array.from({ length: 50 }, () => store.list("a", {}));
    for (const entries of await Promise.all(reads))
      expect(new Set(entries.map((entry) => entry.value)).size).toBeLessThan(2);
    await Promise.all(writes);
    expect((await store.list("a", {})).map((entry) => entry.value)).toEqual([49, 49]);
  },
  "watch tells of changes under its prefix, in commit order, from the call on": async (store) => {
    await store.atomic([], [set("w/0", 1)]);
    const end = new AbortController();
    const changes = store.watch("a", "w/", end.signal);
    await store.atomic([], [set("w/1", 1), set("v/1", 1), set("w/1", 1, "b")]);
    await store.atomic([], [remove("w/1")]);
    const seen: StorageChange[] = [];
    for await (const change of changes) {
      seen.push(change);
      if (seen.length === 2) break;
    }
    end.abort();
    expect(seen).toEqual([
      { kind: "set", key: "w/1", version: expect.any(Number) },
      { kind: "delete", key: "w/1" },
    ]);
  },
  "watch ends when its signal aborts": async (store) => {
    const end = new AbortController();
    const changes = store.watch("a", "", end.signal)[Symbol.asyncIterator]();
    const next = changes.next();
    end.abort();
    expect(await next).toMatchObject({ done: true });
  },
} as const satisfies Record<string, (store: StorageDriver) => Promise<void>>;

export type StoragePromise = keyof typeof promises;

/** Conformance tests for storage drivers; call it in a test file of the driver. */
export function storageConformance(driver: string, { open, lacks }: StorageConformanceOptions): void {
  declareSuite(`storage of ${driver}`, {
    promises,
    lacks,
    async onSubject(keep) {
      await using store = await open();
      await keep(store);
    },
  });
}

/** UTF-8 order equals code point order, unlike JavaScript's string order. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
