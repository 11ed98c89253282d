import type { Storage, StorageRange, StorageWrite, ValueSchema, Versioned } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { anyWireSchema, keys } from "../store/stored.ts";

/** What retention knows of a recorded request; the key has its time. */
const recordAgeSchema = lazySchema(() =>
  z.object({ conversationId: z.string(), sizeBytes: z.int().nonnegative() }),
);

export interface RecordAge extends z.infer<typeof recordAgeSchema> {
  readonly stepId: string;
}

/** With the write of a request: what retention has to know of it. `rest`: what is stored of its body. */
export function ageWrite(conversationId: string, stepId: string, rest: string): StorageWrite {
  return {
    kind: "set",
    key: keys.recordAge(stepId),
    value: { conversationId, sizeBytes: Buffer.byteLength(rest) },
  };
}

/** Read at once, about a millisecond of it: there may be millions, at each start and each hour. */
const pageSize = 200;

/** Pages of all recorded requests, the oldest first; others get a turn between two of them. */
export async function* recordAges(storage: Storage): AsyncGenerator<readonly RecordAge[]> {
  const prefix = keys.recordAges;
  for (let start: string = prefix; ;) {
    const range = { start, end: `${prefix}~`, limit: pageSize };
    const { page, lastKey } = await readAround(storage, range, recordAgeSchema);
    yield page.map(({ key, value }) => ({ ...value, stepId: key.slice(prefix.length) }));
    if (lastKey === undefined) return;
    start = `${lastKey} `; // A space sorts before all that can follow.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A page without its damaged records, which the kernel notes. `lastKey`: of the page with them; none: it was empty. */
async function readAround<Value>(
  storage: Storage,
  range: StorageRange,
  schema: ValueSchema<Value>,
): Promise<{ readonly page: readonly Versioned<Value>[]; readonly lastKey: string | undefined }> {
  const damaged: string[] = [];
  const page = await storage.list({ ...range, onInvalid: (key) => damaged.push(key) }, schema);
  return { page, lastKey: [...page.map(({ key }) => key), ...damaged].toSorted().at(-1) }; // Keys are ASCII.
}

/** Requests that are read at once: they may be large. */
const wiresAtOnce = 16;

/** Notes what was recorded before there were notes; once for a data folder. */
export async function noteAges(storage: Storage, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  if ((await storage.get(keys.recordAgesNoted, z.unknown())) !== undefined) return;
  for (let start: string = keys.allWires; ;) {
    signal.throwIfAborted();
    const range = { start, end: `${keys.allWires}~`, limit: wiresAtOnce };
    const { page, lastKey } = await readAround(storage, range, anyWireSchema);
    const writes = page.flatMap(({ key, value }) => {
      const [conversationId = "", stepId = ""] = key.slice(keys.allWires.length).split(":");
      return "deletedAt" in value ? [] : [ageWrite(conversationId, stepId, value.rest)];
    });
    const done: readonly StorageWrite[] = [{ kind: "set", key: keys.recordAgesNoted, value: {} }];
    await storage.atomic([], lastKey === undefined ? done : writes, { survives: "process" });
    if (lastKey === undefined) return;
    start = `${lastKey} `;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
