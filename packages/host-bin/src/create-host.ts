import {
  createKernel,
  type Drivers,
  type Extension,
  type Kernel,
  type KernelErrorCode,
  type KernelOptions,
  type LoadRequest,
  type Log,
} from "@incipit/kernel";
import { compilePattern, Redactor, urlKeys } from "@incipit/redaction";
import {
  contracts,
  extensionManagerHandle,
  folderTrustHandle,
  hostDefaultsHandle,
  httpEndpointHandle,
} from "@incipit/service-contract";
import { realpathSync } from "node:fs";
import { ConfigError } from "./config/config-error.ts";
import type { Config } from "./config/config-schema.ts";
import { suggestion } from "./config/suggestion.ts";
import { CORE_EXTENSIONS } from "./core-extensions.ts";
import { ClosedFolder, DataFolder, directFetch } from "@incipit/host/data-folder";
import { createEnvironment, createFileSystem, systemClock } from "@incipit/host/drivers";
import {
  attributeUncaught,
  createListen,
  createLog,
  folderTrust,
  HostExtensionManager,
  type HostLogSource,
  InstalledExtensions,
  KnownSecrets,
  type ListenDriver,
  type LogLevel,
  netAtFirstUse,
  OpenFetches,
  PathQueue,
  Programs,
  spawnAtFirstUse,
} from "@incipit/host";
import { hostDefaults } from "./host-defaults.ts";
import { proxiesOf, secretsOfProxies } from "./proxy-settings.ts";
import { addressesOf, extensionGrants, extensionSettings, secretVariables } from "./extension-settings.ts";
import { reservedNames } from "./reserved-names.ts";

export interface HostOptions {
  readonly config: Config;
  /** Absolute. */
  readonly dataFolder: string;
  /** Working folder of conversations that name none; absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly writeLog: (line: string) => void;
  readonly logLevel?: LogLevel;
  /** Extensions beside the built-in ones. */
  readonly extensions?: readonly Extension[];
  /**
   * Called before any extension runs, with what notes in an extension's health what it threw where nobody could catch it.
   * That gives `false` for what cannot be an extension's doing. `redact`: a text without secrets, for whoever shows it.
   */
  readonly catchUncaught?: (attribute: (error: unknown) => boolean, redact: (text: string) => string) => void;
  /** Deadlines of the kernel; absent: its own. */
  readonly timeouts?: Omit<KernelOptions, "drivers">;
}

export interface RunningHost extends AsyncDisposable {
  /** Where this machine reaches it. */
  readonly url: string;
  readonly token: string;
  /** For `createClient(host)`: it goes to the host itself, whatever proxy the environment names. */
  readonly fetch: typeof directFetch;
  readonly kernel: Kernel;
  /**
   * Running turns end as `interrupted`, streams with their last event; then everything stops, dependants first, and the
   * data folder is free.
   */
  close(): Promise<void>;
  /** Closes once nobody is being answered any more, at most 10 min later: for a host that is there for one command, and was found by others. */
  closeWhenIdle(): Promise<void>;
}

/** Something that the host cannot run without did not start. */
export class HostStartError extends Error {
  override readonly name = "HostStartError";
}

const idlePollMs = 20;

/** Longest that a host which is there for one command stays for others: a follower never leaves by itself. */
const idleTimeoutMs = 600_000;

/**
 * Puts a host together: the only place that knows every extension and every driver.
 * @throws {DataFolderHeld} when another host has the data folder; {ConfigError} when an extension to be disabled does
 *   not exist; {HostStartError} when storage or HTTP did not start.
 */
export async function createHost(options: HostOptions): Promise<RunningHost> {
  const { config } = options;
  const extensions = [...CORE_EXTENSIONS, ...(options.extensions ?? [])];
  const byShape = await shapeRedactor(config);
  const folder = DataFolder.open(options.dataFolder);
  const secrets = new KnownSecrets(byShape, secretsAtStart(options, folder));
  const listen = createListen(systemClock);
  const kernel = createKernel({
    drivers: createDrivers(options, { folder, listen, secrets }),
    contracts,
    reserved: reservedNames(config),
    ...options.timeouts,
  });
  const grants = extensionGrants(config);
  const release = async (): Promise<void> => {
    try {
      await kernel.close();
    } finally {
      folder[Symbol.dispose]();
    }
  };
  try {
    const installed = new InstalledExtensions(folder.extensionsPath, systemClock.now());
    checkDisabled(config, [
      ...extensions.map(({ manifest }) => manifest.id),
      ...installed.all().map(({ id }) => id),
    ]);
    const builtIn = extensions.map((extension): LoadRequest => {
      const { id, capabilities = {} } = extension.manifest;
      const isDisabled =
        config.extensions.disabled.includes(id) || (id === "workspace-tools" && !config.tools.workspace);
      return { extension, isDisabled, grant: grants.get(id) ?? capabilities, trust: "core" };
    });
    const logOf: (source: HostLogSource) => Log = createLogOf(options, secrets);
    const log = logOf("extensions");
    if (installed.damage !== undefined) log.error(installed.damage);
    const manager = new HostExtensionManager({
      kernel,
      installed,
      log,
      builtIn: extensions.map(({ manifest }) => manifest),
      redact: (text) => secrets.redact(text),
    });
    kernel.provide(extensionManagerHandle, manager);
    kernel.provide(hostDefaultsHandle, hostDefaults(config, options));
    const trustLog = logOf("folder-trust");
    const report = (problem: string): void => trustLog.error(problem);
    kernel.provide(folderTrustHandle, folderTrust({ dataFolder: folder.path, clock: systemClock, report }));
    options.catchUncaught?.(
      (error) => attributeUncaught(error, { kernel, manager, log }),
      (text) => secrets.redact(text),
    );
    await kernel.add(builtIn);
    await manager.restore(config.extensions);
    kernel.finishStart();
    const url = localUrl(startedEndpoint(kernel, secrets));
    folder.announce(url, systemClock.now());
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> =>
      (closing ??= (async () => {
        folder.retract();
        // Turns end first, while the streams that show their end are still open.
        await kernel.unload("session-orchestrator");
        await release();
      })());
    const closeWhenIdle = async (): Promise<void> => {
      folder.retract();
      const deadlineMs = systemClock.now() + idleTimeoutMs;
      while (listen.pendingRequests > 0 && systemClock.now() < deadlineMs) await Bun.sleep(idlePollMs);
      await close();
    };
    return {
      url,
      token: folder.token,
      fetch: directFetch,
      kernel,
      close,
      closeWhenIdle,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

function checkDisabled(config: Config, known: readonly string[]): void {
  const unknown = config.extensions.disabled.find((id) => !known.includes(id));
  // What the ids of folders are is not known before they are read.
  if (unknown === undefined || config.extensions.paths.length > 0) return;
  throw new ConfigError(
    `key "extensions.disabled" names "${unknown}", which does not exist${suggestion(unknown, known)}`,
  );
}

/** Whether what an extension has stored is there, and of another version. */
function isUnreadable(code: KernelErrorCode | undefined): boolean {
  return code === "SCHEMA_NEWER" || code === "MIGRATION_FAILED";
}

/** URL of the HTTP API. @throws {HostStartError} when nobody could use the host. */
function startedEndpoint(kernel: Kernel, secrets: KnownSecrets): string {
  const endpoint = kernel.service(httpEndpointHandle);
  const health = kernel.list();
  const storage = health.find(({ id }) => id === "storage-sqlite");
  // To go on without would look as if nothing had ever been stored.
  const unreadable = health.find(({ lastError }) => isUnreadable(lastError?.code));
  if (unreadable?.lastError !== undefined) throw new HostStartError(secrets.redact(unreadable.lastError.message));
  if (endpoint !== undefined && storage?.phase !== "failed") return endpoint.url;
  if (health.some(({ id, phase }) => id === "transport-http" && phase === "stopped"))
    throw new HostStartError(
      'Without "transport-http" nobody can use the host; take it out of extensions.disabled',
    );
  const reasons = health.flatMap(({ phase, lastError }) => (phase === "failed" ? (lastError?.message ?? []) : []));
  throw new HostStartError(
    secrets.redact(reasons.join("\n")) || "The host did not start, and no extension says why",
  );
}

/** An address that stands for all of them is no address to go to. */
function localUrl(url: string): string {
  return url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");
}

function createLogOf(
  { writeLog, logLevel: minLevel = "info" }: HostOptions,
  redactor: KnownSecrets,
): (extension: string) => Log {
  return (extension) => createLog(extension, { write: writeLog, minLevel, clock: systemClock, redactor });
}

/**
 * Values that must not be kept: the host's token, what the variables hold that the configuration names for secrets, proxies'
 * passwords, and keys in configured addresses.
 */
function secretsAtStart({ config, env }: HostOptions, folder: DataFolder): readonly string[] {
  const named = secretVariables(config).flatMap((name) => env[name] ?? []);
  return [folder.token, ...named, ...secretsOfProxies(config, env), ...addressesOf(config).flatMap(urlKeys)];
}

/** @throws {ConfigError} for a pattern that is none. */
async function shapeRedactor({ records: { redact: patterns } }: Config): Promise<Redactor> {
  for (const [index, pattern] of patterns.entries()) {
    await compilePattern(pattern).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `key "records.redact[${index}]" is ${JSON.stringify(pattern)}, which is not a valid pattern: ${why}; write one in RE2's syntax, such as "ACME-[0-9]{6}"`;
      throw new ConfigError(message, { cause });
    });
  }
  return Redactor.create({ secrets: [], patterns });
}

interface Started {
  readonly folder: DataFolder;
  readonly listen: ListenDriver;
  readonly secrets: KnownSecrets;
}

function createDrivers(options: HostOptions, { folder, listen, secrets }: Started): Drivers {
  const { config, cwd, env } = options;
  let known:
    | { readonly secrets: readonly string[]; readonly settings: ReturnType<typeof extensionSettings> }
    | undefined;
  /** Made anew once there is another secret. */
  const settings = (): ReturnType<typeof extensionSettings> => {
    const { values } = secrets;
    if (known?.secrets === values) return known.settings;
    const { databasePath, token } = folder;
    known = { secrets: values, settings: extensionSettings({ config, databasePath, token, secrets: values, cwd }) };
    return known.settings;
  };
  const added = new Map(Object.entries(config.extensions.settings)); // Ids come from outside, such as "constructor".
  const clock = systemClock;
  const queue = new PathQueue();
  const fetches = new OpenFetches(process.env);
  const dataFolder = realpathSync(folder.path);
  const closed = new ClosedFolder(dataFolder);
  const logOf = createLogOf(options, secrets);
  const hostLogOf: (source: HostLogSource) => Log = logOf;
  const programs = new Programs({ dataFolder, isConfined: config.tools.confine, log: hostLogOf("programs") });
  return {
    clock,
    fs: (extension, grant) => createFileSystem(extension, grant, { clock, queue, closed }),
    spawn: (extension, grant) =>
      spawnAtFirstUse(extension, grant, {
        clock,
        env,
        // What git is asked to do is fixed, and runs nothing of a repository's: a launcher would only cost time.
        programs: extension === "system-prompt" ? undefined : programs,
      }),
    net: (extension, grant) =>
      netAtFirstUse(extension, grant, clock, { env, proxies: proxiesOf(config, extension), fetches }),
    env: (extension, grant) =>
      createEnvironment(extension, grant, {
        variables: env,
        onGiven: (name, value) => secrets.addVariable(name, value),
      }),
    listen: (extension) => listen.of(extension),
    log: logOf,
    config: (extension) => settings().get(extension) ?? added.get(extension) ?? {},
  };
}
