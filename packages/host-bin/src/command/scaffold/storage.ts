import { exampleFiles } from "./example-files.ts" with { type: "macro" };
import type { ScaffoldKind } from "./scaffold-kind.ts";

export const storageScaffold: ScaffoldKind = {
  gives: ({ name, folder }) => `the storage "my.${name}", in the file ${folder}-data.json`,
  manifest: ({ folder }) => {
    const file = `${folder}-data.json`;
    return {
      capabilities: { fs: { read: [file], write: [file] } },
      provides: ["storage-driver@1"],
      swap: "exclusive", // Two writers of a file would overwrite each other.
    };
  },
  code: () => ({
    "src/index.ts": `import { defineExtension, storageDriverHandle } from "@incipit/kernel";
import { openFileDriver } from "./file-driver.ts";
import packageJson from "../package.json";

const [path = ""] = packageJson.incipit.capabilities.fs.write;

/** Stores all data of the host and its extensions. */
export default defineExtension(packageJson, async (host) => {
  host.provideService(storageDriverHandle, await openFileDriver(path, host.fs));
});
`,
    "src/entries.ts": `import type {
  AtomicResult,
  NamespacedCheck,
  NamespacedWrite,
  StorageChange,
  StorageRange,
  StoredEntry,
} from "@incipit/kernel";
import * as z from "zod";

const storedSchema = z.object({
  version: z.int(),
  entries: z.array(z.object({ namespace: z.string(), key: z.string(), value: z.json(), version: z.int() })),
});

/** All stored entries, in memory. */
export class Entries {
  readonly #version: number;
  readonly #namespaces: ReadonlyMap<string, ReadonlyMap<string, StoredEntry>>;

  private constructor(version: number, namespaces: ReadonlyMap<string, ReadonlyMap<string, StoredEntry>>) {
    this.#version = version;
    this.#namespaces = namespaces;
  }

  static readonly none = new Entries(0, new Map());

  /** Parses the result of \`toText\`. @throws for other text. */
  static parse(text: string): Entries {
    const { version, entries } = storedSchema.parse(JSON.parse(text));
    const namespaces = new Map<string, Map<string, StoredEntry>>();
    for (const { namespace, ...entry } of entries) {
      const known = namespaces.get(namespace) ?? new Map<string, StoredEntry>();
      namespaces.set(namespace, known.set(entry.key, entry));
    }
    return new Entries(version, namespaces);
  }

  toText(): string {
    const entries = [...this.#namespaces].flatMap(([namespace, known]) =>
      [...known.values()].map((entry) => ({ namespace, ...entry })),
    );
    return JSON.stringify({ version: this.#version, entries });
  }

  get(namespace: string, key: string): StoredEntry | undefined {
    return this.#namespaces.get(namespace)?.get(key);
  }

  list(namespace: string, range: StorageRange): readonly StoredEntry[] {
    const { prefix = "", start = "", end, limit = 100, reverse = false } = range;
    const found = [...(this.#namespaces.get(namespace)?.values() ?? [])]
      .filter(({ key }) => key.startsWith(prefix) && compareBytes(key, start) >= 0)
      .filter(({ key }) => end === undefined || compareBytes(key, end) < 0)
      .toSorted((one, other) => compareBytes(one.key, other.key));
    return (reverse ? found.toReversed() : found).slice(0, Math.min(limit, 1_000));
  }

  /** Returns the entries after the writes, or the first check that failed. */
  with(
    checks: readonly NamespacedCheck[],
    writes: readonly NamespacedWrite[],
  ): Extract<AtomicResult, { kind: "conflict" }> | { readonly kind: "changed"; readonly entries: Entries } {
    const failed = checks.find(({ namespace, key, version }) => (this.get(namespace, key)?.version ?? null) !== version);
    if (failed !== undefined) return { kind: "conflict", key: failed.key };
    const version = this.#version + 1;
    const namespaces = new Map(this.#namespaces);
    for (const write of writes) {
      const known = new Map(namespaces.get(write.namespace));
      if (write.kind === "delete") known.delete(write.key);
      else known.set(write.key, { key: write.key, value: write.value, version });
      namespaces.set(write.namespace, known);
    }
    return { kind: "changed", entries: new Entries(version, namespaces) };
  }

  get version(): number {
    return this.#version;
  }
}

export function changeOf(write: NamespacedWrite, version: number): StorageChange {
  return write.kind === "delete" ? { kind: "delete", key: write.key } : { kind: "set", key: write.key, version };
}

/** Compares by UTF-8 bytes, unlike JavaScript, which compares UTF-16 code units. */
function compareBytes(one: string, other: string): number {
  const [left, right] = [new TextEncoder().encode(one), new TextEncoder().encode(other)];
  const index = left.findIndex((byte, at) => byte !== right[at]);
  return index === -1 ? left.length - right.length : (left[index] ?? 0) - (right[index] ?? -1);
}
`,
    "src/file-driver.ts": `import type { FileSystem, NamespacedWrite, StorageDriver } from "@incipit/kernel";
import { changeOf, Entries } from "./entries.ts";
import { Watchers } from "./watchers.ts";

const cwd = "/";
const timeoutMs = 30_000;

/**
 * Stores all entries in one file, which each commit rewrites: correct, but slow for large data. In any other storage,
 * too, \`atomic\` must resolve only once the writes survive a crash.
 */
export async function openFileDriver(path: string, fs: FileSystem): Promise<StorageDriver> {
  const read = await fs.readFile(path, { cwd, maxBytes: 1_073_741_824, timeoutMs });
  if (read.kind === "absent" && read.reason !== "not-found") throw new Error(\`Cannot read "\${path}": \${read.reason}\`);
  let entries = read.kind === "read" ? Entries.parse(new TextDecoder().decode(read.bytes)) : Entries.none;
  let last: Promise<unknown> = Promise.resolve();
  const watchers = new Watchers();

  const write = async (changed: Entries, writes: readonly NamespacedWrite[]): Promise<void> => {
    const bytes = new TextEncoder().encode(changed.toText());
    const written = await fs.writeFile(path, bytes, { cwd, timeoutMs, createFolders: true });
    if (written.kind === "refused") throw new Error(\`Cannot write "\${path}": \${written.reason}\`);
    entries = changed; // Visible only once it is on the disk.
    for (const one of writes) watchers.tell(one, changeOf(one, changed.version));
  };

  return {
    get: async (namespace, key) => entries.get(namespace, key),
    list: async (namespace, range) => entries.list(namespace, range),
    async atomic(checks, writes) {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      await before; // Serializes commits in call order.
      try {
        const changed = entries.with(checks, writes);
        if (changed.kind === "conflict") return changed;
        if (writes.length > 0) await write(changed.entries, writes);
        return { kind: "committed", version: entries.version };
      } finally {
        resolve();
      }
    },
    watch: (namespace, prefix, signal) => watchers.watch({ namespace, prefix, signal }),
  };
}
`,
    ...exampleFiles("15-storage-driver", "src/watchers.ts"),
  }),
  test: ({ name, folder }) => `import { storageDriverHandle } from "@incipit/kernel";
import { startExtension, storageConformance } from "@incipit/testkit";
import { expect, test } from "bun:test";
import extension from "./index.ts";

test("a committed entry survives a restart", async () => {
  const write = { namespace: "notes", key: "one", kind: "set", value: "kept" } as const;
  await using first = await startExtension(extension);
  await first.service(storageDriverHandle).atomic([], [write]);
  const [text = new Uint8Array()] = first.files.values();

  await using second = await startExtension(extension, { files: { ${JSON.stringify(`${folder}-data.json`)}: text } });
  expect(await second.service(storageDriverHandle).get("notes", "one")).toMatchObject({ value: "kept" });
});

storageConformance("my.${name}", {
  open: async () => {
    const host = await startExtension(extension);
    const driver = host.service(storageDriverHandle);
    return {
      get: (namespace, key) => driver.get(namespace, key),
      list: (namespace, range) => driver.list(namespace, range),
      atomic: (checks, writes, options) => driver.atomic(checks, writes, options),
      watch: (namespace, prefix, signal) => driver.watch(namespace, prefix, signal),
      [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
    };
  },
});
`,
  next: ({ name }) => [
    `incipit config              # then write [storage] use = "my.${name}" into the file that it names, and start the host again`,
  ],
};
