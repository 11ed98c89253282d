import type { Storage, StorageRange, StorageWrite, ValueSchema, Versioned } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { anyWireSchema, keys } from "../store/stored.ts";

const recordAgeSchema = lazySchema(() =>
  z.object({ conversationId: z.string(), sizeBytes: z.int().nonnegative() }),
);

export interface RecordAge extends z.infer<typeof recordAgeSchema> {
  readonly stepId: string;
}

/** To commit with a request. `rest`: the stored part of its body. */
export function ageWrite(conversationId: string, stepId: string, rest: string): StorageWrite {
  return {
    kind: "set",
    key: keys.recordAge(stepId),
    value: { conversationId, sizeBytes: Buffer.byteLength(rest) },
  };
}

/** About a millisecond per page; there may be millions, read at each start and every hour. */
const pageSize = 200;

export async function* recordAges(storage: Storage): AsyncGenerator<readonly RecordAge[]> {
  const prefix = keys.recordAges;
  for (let start: string = prefix; ;) {
    const range = { start, end: `${prefix}~`, limit: pageSize };
    const { page, lastKey } = await readAround(storage, range, recordAgeSchema);
    yield page.map(({ key, value }) => ({ ...value, stepId: key.slice(prefix.length) }));
    if (lastKey === undefined) return;
    start = `${lastKey} `; // A space sorts before all following characters.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Skips damaged records, which the kernel reports; `lastKey` includes them. */
async function readAround<Value>(
  storage: Storage,
  range: StorageRange,
  schema: ValueSchema<Value>,
): Promise<{ readonly page: readonly Versioned<Value>[]; readonly lastKey: string | undefined }> {
  const damaged: string[] = [];
  const page = await storage.list({ ...range, onInvalid: (key) => damaged.push(key) }, schema);
  return { page, lastKey: [...page.map(({ key }) => key), ...damaged].toSorted().at(-1) }; // Keys are ASCII.
}

const wiresAtOnce = 16;

/** For requests of earlier versions; runs once per data folder. */
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
