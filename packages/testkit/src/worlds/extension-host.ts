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
  /** What the operator configured for the first extension; `{}` when absent. */
  readonly config?: JsonValue;
  /** What the operator grants the first extension; absent: all that its manifest declares. */
  readonly grant?: Capabilities;
  /** Variables of the environment; absent: none. */
  readonly env?: Readonly<Record<string, string>>;
  /** Contents by absolute path; absent: none. */
  readonly files?: TestFiles;
  /** Answers each call to a host that was granted; the server gets the URL's path. Absent: nobody answers. */
  readonly net?: RecordingModelServer | TestFetch;
  /** What was stored before, for a test of a restart; absent: new and empty. */
  readonly storage?: StorageDriver;
  /** What the host tells everybody that conversations begin with, in place of the offline model in `/work`. */
  readonly defaults?: Partial<HostDefaults>;
  /** For a test that moves the time while the extension starts; absent: a new one. */
  readonly clock?: FakeClock;
  /** In place of these, such as a `spawn` that answers as git would. */
  readonly drivers?: Partial<Drivers>;
  /** After how much real time a start or a close that waits for the clock is helped on; absent: ten seconds. */
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
  /** Stands still until the test moves it. */
  readonly clock: FakeClock;
  /** All that was logged, in order; the kernel's own as `kernel`. */
  readonly logs: readonly LogEntry[];
  /** Contents by absolute path: what the test gave, and what was written since; it may take one away. */
  readonly files: Map<string, Uint8Array>;
  /** As other extensions see it. @throws when nobody provides it. */
  service<Service extends object>(handle: ServiceHandle<Service>): Service;
  /** As the user of the point sees them. @throws when no extension of the test declares that it contributes to it. */
  contributions<Value>(point: ExtensionPoint<Value>): readonly Value[];
  /** The only one. @throws when there is none, or another one. */
  contribution<Value>(point: ExtensionPoint<Value>): Value;
}

/**
 * Starts an extension in a kernel of its own, on drivers that are all in memory: no file, no network, no real time.
 *
 * The first extension is the one under test; others are what it needs, and have what they declare. Storage and
 * `host-defaults@1` are there, unless one of them provides it.
 *
 * A start or a close that waits for the clock is helped on after a while: the deadlines of the kernel then end it.
 * @throws the extension's own error when `activate` throws; {KernelError} when the kernel refuses it, or a required
 *   service is missing.
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

/** Keeps what `activate` throws: the kernel's health has the message alone. */
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

/** Reads every point that the others declare: an extension, so that it sees what an extension sees. */
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

/** An extension that loads much takes a few of them on a slow machine. */
const defaultHelpAfterMs = 10_000;

/** Nobody moves the clock while the test waits here: what waits for it would wait for ever. */
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
