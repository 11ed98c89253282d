import {
  createKernel,
  defineExtension,
  FakeClock,
  KernelError,
  storageDriverHandle,
  type Capabilities,
  type Contributions,
  type Drivers,
  type Extension,
  type ExtensionPoint,
  type JsonValue,
  type Kernel,
  type Log,
  type ServiceHandle,
  type StorageDriver,
} from "@incipit/kernel";
import { hostDefaultsHandle, type HostDefaults } from "@incipit/service-contract";
import { createMemoryStorage } from "./memory-storage.ts";
import type { RecordingModelServer } from "../model-server/recording-model-server.ts";
import { createTestEnvironment, TestFileStore, type TestFiles } from "./test-files.ts";
import { createTestNet, type TestFetch } from "./test-net.ts";

export interface StartExtensionOptions {
  /** For the first extension; `{}` by default. */
  readonly config?: JsonValue;
  /** For the first extension; by default everything its manifest declares. */
  readonly grant?: Capabilities;
  readonly env?: Readonly<Record<string, string>>;
  /** By absolute path. */
  readonly files?: TestFiles;
  /** Answers granted calls to any host; the server gets the URL's path. Absent: no answer. */
  readonly net?: RecordingModelServer | TestFetch;
  /** To test a restart. */
  readonly storage?: StorageDriver;
  /** `host-defaults@1` are the offline model and `/work`. */
  readonly defaults?: Partial<HostDefaults>;
  /** For tests that advance time during the start. */
  readonly clock?: FakeClock;
  /** Such as a `spawn` that answers like git. */
  readonly drivers?: Partial<Drivers>;
  /** In real time; a start or close that waits for the clock is then helped along. Ten seconds by default. */
  readonly helpAfterMs?: number;
}

export interface LogEntry {
  readonly extension: string;
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: Readonly<Record<string, JsonValue>>;
}

export interface StartedExtension extends AsyncDisposable {
  readonly kernel: Kernel;
  /** Only the test advances it. */
  readonly clock: FakeClock;
  /** In order; the kernel's as `kernel`. */
  readonly logs: readonly LogEntry[];
  /** By absolute path: the test's and those written since; tests may delete files. */
  readonly files: Map<string, Uint8Array>;
  /** As seen by other extensions. @throws when no extension provides it. */
  service<Service extends object>(handle: ServiceHandle<Service>): Service;
  /** @throws when no extension of the test declares that it contributes to the point. */
  contributions<Value>(point: ExtensionPoint<Value>): readonly Value[];
  /** @throws without exactly one contribution. */
  contribution<Value>(point: ExtensionPoint<Value>): Value;
}

/**
 * Starts an extension in its own kernel with in-memory drivers: no files, network or real time. The first one is under
 * test; the others are its dependencies. Storage and `host-defaults@1` exist unless one provides them. A start or close
 * that waits for the clock is helped along after a while, so that the kernel's deadlines end it. @throws the
 * extension's own error when `activate` throws; {KernelError} when the kernel rejects it, or a required service is
 * missing.
 */
export async function startExtension(
  extensions: Extension | readonly [Extension, ...Extension[]],
  options: StartExtensionOptions = {},
): Promise<StartedExtension> {
  const given = "manifest" in extensions ? [extensions] : extensions;
  const [subject] = given;
  const { clock = new FakeClock(), grant, helpAfterMs = defaultHelpAfterMs } = options;
  const logs: LogEntry[] = [];
  const failures = new Map<string, unknown>();
  const reader = createReader(given);
  const store = new TestFileStore(options.files ?? {});
  const kernel = createKernel({ drivers: createDrivers(subject?.manifest.id, { ...options, clock, logs, store }) });
  if (!given.some(({ manifest }) => manifest.provides?.includes(hostDefaultsHandle.id) === true))
    kernel.provide(hostDefaultsHandle, {
      model: "offline/echo",
      cwd: "/work",
      promptRefresh: "compaction",
      profiles: [],
      ...options.defaults,
    });
  const close = (): Promise<void> => helpedOn(kernel.close(), { clock, helpAfterMs });
  try {
    const requests = [
      ...given.map((extension) => noting(extension, failures)),
      ...storageFor(given, options.storage),
    ]
      .concat(reader.extension)
      .map((extension, index) => ({ extension, ...(index === 0 && grant !== undefined ? { grant } : {}) }));
    await helpedOn(kernel.add(requests), { clock, helpAfterMs });
    kernel.finishStart();
    for (const { manifest } of given) assertStarted(kernel, manifest.id, failures);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kernel,
    clock,
    logs,
    files: store.files,
    service(handle) {
      const service = kernel.service(handle);
      if (service === undefined) throw new Error(`No extension of this test provides "${handle.id}"`);
      return service;
    },
    contributions: (point) => reader.read(point),
    contribution(point) {
      const [value, ...others] = reader.read(point);
      if (value === undefined || others.length > 0)
        throw new Error(
          `There is not one contribution to "${point.id}", but ${value === undefined ? 0 : others.length + 1}`,
        );
      return value;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The kernel's health only has the message. */
function noting({ manifest, activate }: Extension, failures: Map<string, unknown>): Extension {
  return defineExtension(manifest, async (host) => {
    try {
      await activate(host);
    } catch (error) {
      failures.set(manifest.id, error);
      throw error;
    }
  });
}

function assertStarted(kernel: Kernel, id: string, failures: ReadonlyMap<string, unknown>): void {
  const health = kernel.list().find((entry) => entry.id === id);
  if (health?.phase === "active") return;
  if (failures.has(id)) throw failures.get(id);
  const { lastError, waitsFor = [], phase = "stopped" } = health ?? {};
  if (lastError !== undefined) throw new KernelError(lastError.code, lastError.message, { extension: id });
  const missing = waitsFor.map((contract) => `"${contract}"`).join(", ");
  const message = `Cannot start "${id}": it is ${phase} for ${missing}; give startExtension an extension that provides it`;
  throw new KernelError("SERVICE_UNAVAILABLE", message, { extension: id });
}

function storageFor(given: readonly Extension[], storage = createMemoryStorage()): readonly Extension[] {
  if (given.some(({ manifest }) => manifest.provides?.includes(storageDriverHandle.id) === true)) return [];
  const manifest = { id: "testkit.storage", version: "1.0.0", api: "^1", provides: [storageDriverHandle.id] };
  return [defineExtension(manifest, (host) => host.provideService(storageDriverHandle, storage))];
}

interface Reader {
  readonly extension: Extension;
  read<Value>(point: ExtensionPoint<Value>): readonly Value[];
}

/** Sees every declared point as extensions do. */
function createReader(given: readonly Extension[]): Reader {
  const reads = [...new Set(given.flatMap(({ manifest }) => manifest.contributes ?? []))];
  let contributions: (<Value>(point: ExtensionPoint<Value>) => Contributions<Value>) | undefined;
  return {
    extension: defineExtension({ id: "testkit.reader", version: "1.0.0", api: "^1", reads }, (host) => {
      contributions = (point) => host.contributions(point);
    }),
    read(point) {
      if (contributions === undefined || !reads.includes(point.id))
        throw new Error(`No extension of this test has "${point.id}" in contributes`);
      return contributions(point).current.map(({ value }) => value);
    },
  };
}

interface DriversOptions extends StartExtensionOptions {
  readonly clock: FakeClock;
  readonly logs: LogEntry[];
  readonly store: TestFileStore;
}

function createDrivers(subject: string | undefined, options: DriversOptions): Drivers {
  const { clock, logs, config = {}, env = {}, store, net: target, drivers } = options;
  const noListen = (): never => {
    throw new Error('Nothing listens in this test: give startExtension a "drivers.listen"');
  };
  return {
    clock,
    fs: (_extension, grant) => store.fileSystem(grant),
    spawn: () => ({
      run: async () => ({ kind: "failed", reason: "not-installed" }),
      start: async () => ({ kind: "failed", reason: "not-installed" }),
    }),
    net: (extension, grant) => createTestNet(extension, { grant, target, clock }),
    env: (extension, grant) => createTestEnvironment(extension, grant, env),
    listen: () => ({ http: async () => noListen() }),
    log: (extension) => {
      const write =
        (level: keyof Log): Log[typeof level] =>
        (message, fields = {}) =>
          void logs.push({ extension, level, message, fields });
      return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
    },
    config: (extension) => (extension === subject ? config : {}),
    ...drivers,
  };
}

/** A large extension takes seconds to load on a slow machine. */
const defaultHelpAfterMs = 10_000;

/** The test is waiting here and cannot advance the clock. */
async function helpedOn<Result>(
  work: Promise<Result>,
  { clock, helpAfterMs }: { readonly clock: FakeClock; readonly helpAfterMs: number },
): Promise<Result> {
  const timer = setInterval(() => void clock.advance(60_000), helpAfterMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
