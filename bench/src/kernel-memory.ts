/**
 * `bun kernel-memory.ts load SYSTEM SIZE`: memory before and after loading extensions. `bun kernel-memory.ts swap
 * object|folder COUNT…`: memory after swaps of one extension. Each measurement runs in its own process and prints
 * heap and resident bytes.
 */
import { createKernel, defineExtension, defineHandle, type Extension } from "@incipit/kernel";
import { heapStats } from "bun:jsc";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyDrivers, systemClock } from "./drivers.ts";
import { loaders, type Counter } from "./kernel-loaders.ts";

interface Memory {
  readonly heapBytes: number;
  readonly rssBytes: number;
}

/** The lowest of several samples, since uncollected garbage and unreturned pages are not held. */
async function measureMemory(): Promise<Memory> {
  const samples: Memory[] = [];
  for (let count = 0; count < 12; count += 1) {
    await Bun.sleep(25); // Finalizers run between turns of the event loop.
    Bun.gc(true);
    const { heapSize } = heapStats();
    samples.push({ heapBytes: heapSize, rssBytes: process.memoryUsage.rss() });
  }
  return {
    heapBytes: Math.min(...samples.map(({ heapBytes }) => heapBytes)),
    rssBytes: Math.min(...samples.map(({ rssBytes }) => rssBytes)),
  };
}

async function measureLoaded(system: string, size: number): Promise<readonly Memory[]> {
  const makeLoad = new Map(Object.entries(loaders)).get(system);
  if (makeLoad === undefined) throw new Error(`There is no system "${system}"`);
  await (await makeLoad(20)()).close(); // Excludes one-time allocations.
  const before = await measureMemory();
  const loaded = await makeLoad(size)();
  const after = await measureMemory();
  await loaded.close();
  return [before, after];
}

const handle = defineHandle<Counter>("bench.swapped@1");
const manifest = { id: "bench.swapped", version: "1.0.0", api: "^1", provides: [handle.id] } as const;

function objectVersion(version: number): Extension {
  return defineExtension(manifest, (host) => {
    host.provideService(handle, { next: async (value) => value + version });
  });
}

/** Two files, as an extension is more than its entry. */
async function writeVersion(folder: string, version: number): Promise<void> {
  const code = `import { defineExtension, defineHandle } from "@incipit/kernel";
import { version } from "./version.ts";
export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  host.provideService(defineHandle("${handle.id}"), { next: async (value: number) => value + version });
});
`;
  await Bun.write(join(folder, "package.json"), JSON.stringify({ name: "swapped", incipit: manifest }));
  await Bun.write(join(folder, "src/index.ts"), code);
  await Bun.write(join(folder, "src/version.ts"), `export const version = ${version};\n`);
}

async function folderVersions(folder: string): Promise<(version: number) => Promise<Extension>> {
  const { readExtensionFolder } = await import("@incipit/host/extension-folder");
  return async (version) => {
    await writeVersion(folder, version);
    return (await readExtensionFolder(folder)).load({ isSystemGranted: false });
  };
}

/** Not the testkit's, whose imports would count as the host's memory and hide growth. */
async function createFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "incipit-bench-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

async function measureSwaps(kind: string, counts: readonly number[]): Promise<readonly Memory[]> {
  await using folder = await createFolder();
  const versionOf = kind === "folder" ? await folderVersions(folder.path) : objectVersion;
  await using kernel = createKernel({ drivers: emptyDrivers(systemClock) });
  await kernel.add([{ extension: await versionOf(0) }]);
  const measured: Memory[] = [];
  for (let version = 1; version <= Math.max(...counts); version += 1) {
    const { outcome } = await kernel.swap(manifest.id, { extension: await versionOf(version) });
    const answer = await kernel.service(handle)?.next(0);
    if (outcome !== "swapped" || answer !== version)
      throw new Error(`Swap ${version} ended ${outcome}, and answers ${answer}`);
    if (counts.includes(version)) measured.push(await measureMemory());
  }
  return measured;
}

const [task, subject = "", ...words] = process.argv.slice(2);
const numbers = words.map(Number);
const measured =
  task === "load" ? await measureLoaded(subject, numbers[0] ?? 0) : await measureSwaps(subject, numbers);
process.stdout.write(measured.map(({ heapBytes, rssBytes }) => `${heapBytes} ${rssBytes}\n`).join(""));
process.exit(0);
