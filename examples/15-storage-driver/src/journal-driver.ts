import type {
  AtomicResult,
  NamespacedCheck,
  NamespacedWrite,
  StorageChange,
  StorageDriver,
  StorageRange,
  StoredEntry,
} from "@incipit/kernel";
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import * as z from "zod";
import { Watchers } from "./watchers.ts";

const commitSchema = z.object({
  version: z.int(),
  writes: z.array(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("set"), namespace: z.string(), key: z.string(), value: z.json() }),
      z.object({ kind: z.literal("delete"), namespace: z.string(), key: z.string() }),
    ]),
  ),
});
type Commit = z.infer<typeof commitSchema>;

/**
 * Appends each commit as a line to a file, and keeps everything in memory. A line truncated by a crash was never
 * acknowledged.
 */
export class JournalDriver implements StorageDriver, Disposable {
  readonly #file: number;
  readonly #namespaces = new Map<string, Map<string, StoredEntry>>();
  readonly #watchers = new Watchers();
  #version = 0;

  constructor(path: string) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    for (const line of whole.split("\n"))
      if (line !== "") this.#apply(commitSchema.parse(JSON.parse(line)), () => {});
    this.#file = openSync(path, "a", 0o600);
    if (whole !== text) ftruncateSync(this.#file, Buffer.byteLength(whole));
  }

  async get(namespace: string, key: string): Promise<StoredEntry | undefined> {
    return this.#namespaces.get(namespace)?.get(key);
  }

  async list(namespace: string, range: StorageRange): Promise<readonly StoredEntry[]> {
    const { prefix = "", start = "", end, limit = 100, reverse = false } = range;
    const isInside = ({ key }: StoredEntry): boolean =>
      key.startsWith(prefix) && compareBytes(key, start) >= 0 && (end === undefined || compareBytes(key, end) < 0);
    const found = [...(this.#namespaces.get(namespace)?.values() ?? [])]
      .filter(isInside)
      .toSorted((one, other) => compareBytes(one.key, other.key));
    return (reverse ? found.toReversed() : found).slice(0, Math.min(limit, 1_000));
  }

  async atomic(checks: readonly NamespacedCheck[], writes: readonly NamespacedWrite[]): Promise<AtomicResult> {
    for (const { namespace, key, version } of checks) {
      const entry = this.#namespaces.get(namespace)?.get(key);
      if ((entry?.version ?? null) !== version) return { kind: "conflict", key };
    }
    const line = JSON.stringify({ version: this.#version + 1, writes });
    writeSync(this.#file, `${line}\n`);
    fsyncSync(this.#file); // Acknowledged data survives a power loss.
    const { version } = this.#apply(commitSchema.parse(JSON.parse(line)), (write, change) =>
      this.#watchers.tell(write, change),
    );
    return { kind: "committed", version };
  }

  watch(namespace: string, prefix: string, signal: AbortSignal): AsyncIterable<StorageChange> {
    return this.#watchers.watch({ namespace, prefix, signal });
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #apply(commit: Commit, tell: (write: NamespacedWrite, change: StorageChange) => void): Commit {
    const { version, writes } = commit;
    this.#version = version;
    for (const write of writes) {
      const { namespace, key } = write;
      const entries = this.#namespaces.get(namespace) ?? new Map<string, StoredEntry>();
      this.#namespaces.set(namespace, entries);
      if (write.kind === "delete") entries.delete(key);
      else entries.set(key, { key, value: write.value, version });
      tell(write, write.kind === "delete" ? { kind: "delete", key } : { kind: "set", key, version });
    }
    return commit;
  }
}

/** UTF-8 byte order, unlike JavaScript's string order. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
