import {
  createKernel,
  type Extension,
  type Kernel,
  KernelError,
  type KernelErrorCode,
  type LoadRequest,
  type Log,
  type Manifest,
  type ServiceHandle,
  storageDriverHandle,
} from "@incipit/kernel";
import { Redactor } from "@incipit/redaction";
import {
  accessTokensHandle,
  contracts,
  conversationsHandle,
  extensionManagerHandle,
  folderGrantsHandle,
  folderTrustHandle,
  hostConfigurationHandle,
  type HostDefaults,
  hostDefaultsHandle,
  httpEndpointHandle,
  trustedFoldersHandle,
} from "@incipit/service-contract";
import { accessTokens } from "../access-tokens/access-tokens.ts";
import { DataFolder } from "../data-folder/data-folder.ts";
import { systemClock } from "../drivers/clock.ts";
import { createListen } from "../drivers/listen.ts";
import { createLog } from "../drivers/log.ts";
import type { HostLogSource } from "../drivers/log-sources.ts";
import { directFetch } from "../drivers/net/plain-fetch.ts";
import { attributeUncaught } from "../extension-manager/attribute-uncaught.ts";
import { HostExtensionManager } from "../extension-manager/extension-manager.ts";
import { InstalledExtensions } from "../extension-manager/installed-extensions.ts";
import { KnownSecrets } from "../secrets/known-secrets.ts";
import { folderGrants } from "../trust/folder-grants.ts";
import { folderTrust } from "../trust/trusted-folders.ts";
import { hostDrivers } from "./host-drivers.ts";
import type { BuiltInExtension, GivenDefaults, HostOptions } from "./host-options.ts";

export interface RunningHost extends AsyncDisposable {
  /** `undefined` if no extension offers the HTTP API. */
  readonly url: string | undefined;
  readonly token: string;
  /** For `createClient`: connects without the proxy of the environment. */
  readonly fetch: typeof directFetch;
  readonly kernel: Kernel;
  /**
   * Returns the service of the currently active generation; call again after a swap.
   * @throws {KernelError} `SERVICE_UNAVAILABLE` with the reason.
   */
  service<Service extends object>(handle: ServiceHandle<Service>): Service;
  /**
   * Ends running turns as `interrupted` and streams with their last event, then stops all extensions, dependants first,
   * and frees the data folder.
   */
  close(): Promise<void>;
  /**
   * Closes once no request is pending, at most 10 min later. For a host started for one command that other clients
   * found.
   */
  closeWhenIdle(): Promise<void>;
}

const idlePollMs = 20;
/** Event loop turns without a pending request: connections made before are read. */
const quietTurns = 4;

/** For a host started for one command, since a following client never leaves. */
const idleTimeoutMs = 600_000;

/**
 * @throws {DataFolderHeld} if another host has the data folder; {HostStartError} if its storage or HTTP API did not
 * start; {KernelError} for extensions that cannot be combined.
 */
export async function createHost(options: HostOptions): Promise<RunningHost> {
  const { writeLog = () => {}, logLevel: minLevel = "info" } = options;
  const { redactor: byShape = await Redactor.create({ secrets: [], patterns: [] }) } = options;
  const builtIn = options.extensions.map((one) => ("extension" in one ? one : { extension: one }));
  const folder = DataFolder.open(options.dataFolder);
  const secrets = new KnownSecrets(byShape, [folder.token, ...(options.secrets ?? [])]);
  const redact = (text: string): string => secrets.redact(text);
  const logOf = (source: string): Log =>
    createLog(source, { write: writeLog, minLevel, clock: systemClock, redactor: secrets });
  const hostLogOf: (source: HostLogSource) => Log = logOf;
  const listen = createListen(systemClock);
  const added = new Map<string, unknown>(); // Ids come from outside, for example "constructor".
  const kernel = createKernel({
    drivers: hostDrivers(options, { folder, listen, secrets, logOf, builtIn, added }),
    contracts,
    ...(options.reserved === undefined ? {} : { reserved: options.reserved }),
    ...options.timeouts,
  });
  const tokensLog = hostLogOf("access-tokens");
  const tokens = accessTokens({
    dataFolder: folder.path,
    ownToken: folder.token,
    clock: systemClock,
    report: (problem) => tokensLog.error(problem),
  });
  const release = async (): Promise<void> => {
    try {
      await kernel.close();
    } finally {
      tokens[Symbol.dispose]();
      folder[Symbol.dispose]();
    }
  };
  try {
    const installed = new InstalledExtensions(folder.extensionsPath, systemClock.now());
    const manifests = builtIn.map(({ extension }) => extension.manifest);
    options.checkIds?.([...manifests, ...installed.all()].map(({ id }) => id));
    const isSpare = spareDriver(manifests, options.storageDriver);
    const log = hostLogOf("extensions");
    if (installed.damage !== undefined) log.error(installed.damage);
    const onRead = (extension: Extension): void =>
      void added.set(extension.manifest.id, options.settings?.(extension));
    const manager = new HostExtensionManager({
      kernel,
      installed,
      log,
      builtIn: manifests,
      redact,
      onRead,
      isSpare,
    });
    kernel.provide(extensionManagerHandle, manager);
    const trustLog = hostLogOf("folder-trust");
    const report = (problem: string): void => trustLog.error(problem);
    kernel.provide(folderTrustHandle, folderTrust({ dataFolder: folder.path, clock: systemClock, report }));
    kernel.provide(folderGrantsHandle, folderGrants({ dataFolder: folder.path, clock: systemClock, report }));
    kernel.provide(accessTokensHandle, tokens);
    const { configuration } = options;
    if (configuration !== undefined) {
      const { schema } = configuration;
      // Most starts need neither.
      kernel.provide(hostConfigurationHandle, {
        keys: async () =>
          (await import("../configuration/keys-in-force.ts")).keysInForce({ ...configuration, redact }),
      });
      kernel.provide(trustedFoldersHandle, {
        list: async () =>
          (await import("../trust/trusted-folders.ts")).trustedFolders({
            dataFolder: folder.path,
            clock: systemClock,
            report,
            schema,
          }),
      });
    }
    if (options.defaults !== undefined) kernel.provide(hostDefaultsHandle, hostDefaults(options.defaults));
    options.catchUncaught?.((error) => attributeUncaught(error, { kernel, manager, log }), redact);
    await kernel.add(builtIn.map((one) => loadRequest(one, isSpare)));
    await manager.restore(options.folders ?? { paths: [], disabled: [] });
    kernel.finishStart();
    assertStarted(kernel, { redact, storageDriver: options.storageDriver });
    const url = kernel.service(httpEndpointHandle)?.url;
    const localUrl = url === undefined ? undefined : ofThisMachine(url);
    folder.announce(localUrl, systemClock.now());
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> =>
      (closing ??= (async () => {
        folder.retract();
        await endTurns(kernel);
        await release();
      })());
    const closeWhenIdle = async (): Promise<void> => {
      folder.retract();
      const deadlineMs = systemClock.now() + idleTimeoutMs;
      // A connection not yet accepted would be cut.
      for (let turns = 0; turns < quietTurns && systemClock.now() < deadlineMs; turns += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        if (listen.pendingRequests === 0) continue;
        turns = 0;
        await Bun.sleep(idlePollMs);
      }
      await close();
    };
    return {
      url: localUrl,
      token: folder.token,
      fetch: directFetch,
      kernel,
      service: (handle) => kernel.service(handle) ?? refuseService(kernel, handle.id),
      close,
      closeWhenIdle,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

function loadRequest(
  { extension, grant, isDisabled: isOff = false }: BuiltInExtension,
  isSpare: (manifest: Manifest) => boolean,
): LoadRequest {
  const isDisabled = isOff || isSpare(extension.manifest);
  return { extension, isDisabled, trust: "core", ...(grant === undefined ? {} : { grant }) };
}

function spareDriver(builtIn: readonly Manifest[], chosen: string | undefined): (manifest: Manifest) => boolean {
  const isDriver = ({ provides = [] }: Manifest): boolean => provides.includes(storageDriverHandle.id);
  const used = chosen ?? builtIn.find(isDriver)?.id;
  return (manifest) => used !== undefined && manifest.id !== used && isDriver(manifest);
}

/** While the streams that report their end are open. */
async function endTurns(kernel: Kernel): Promise<void> {
  for (const { id, provides } of kernel.list())
    if (provides.includes(conversationsHandle.id)) await kernel.unload(id);
}

/** Clients cannot connect to wildcard addresses. */
function ofThisMachine(url: string): string {
  return url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");
}

function refuseService(kernel: Kernel, service: string): never {
  const provider = kernel.list().find(({ provides }) => provides.some((id) => id === service));
  if (provider === undefined)
    throw new KernelError(
      "SERVICE_UNAVAILABLE",
      `"${service}" is not available: no extension of this host provides it`,
    );
  const { id, phase, lastError } = provider;
  const why = lastError === undefined ? "" : `: ${lastError.message}`;
  const message = `"${service}" is not available: "${id}", which provides it, is ${phase}${why}`;
  throw new KernelError("SERVICE_UNAVAILABLE", message, { extension: id });
}

const needed = [storageDriverHandle, httpEndpointHandle];

/** @throws {HostStartError} */
function assertStarted(
  kernel: Kernel,
  {
    redact,
    storageDriver,
  }: { readonly redact: (text: string) => string; readonly storageDriver: string | undefined },
): void {
  const health = kernel.list();
  const unreadable = health.find(({ lastError }) => isUnreadable(lastError?.code));
  if (unreadable?.lastError !== undefined) throw new HostStartError(redact(unreadable.lastError.message));
  const isMissing = needed.some(
    (handle) =>
      kernel.service<object>(handle) === undefined &&
      health.some(({ provides, phase }) => phase !== "stopped" && provides.includes(handle.id)),
  );
  // An extension that could not be loaded from its folder does not list what it would provide.
  const isDriverMissing = storageDriver !== undefined && kernel.service(storageDriverHandle) === undefined;
  if (!isMissing && !isDriverMissing) return;
  const reasons = health.flatMap(({ phase, lastError }) => (phase === "failed" ? (lastError?.message ?? []) : []));
  throw new HostStartError(redact(reasons.join("\n")) || whyNot(storageDriver));
}

/** Returns whether an error means stored data of another version. */
function isUnreadable(code: KernelErrorCode | undefined): boolean {
  return code === "SCHEMA_NEWER" || code === "MIGRATION_FAILED";
}

function whyNot(storageDriver: string | undefined): string {
  if (storageDriver === undefined) return "The host did not start, and no extension reported an error";
  return `The host did not start: the storage driver "${storageDriver}" does not provide "${storageDriverHandle.id}"`;
}

export class HostStartError extends Error {
  override readonly name = "HostStartError";
}

export function hostDefaults({ profiles = [], ...given }: GivenDefaults): HostDefaults {
  return Object.freeze({
    cwd: process.cwd(),
    promptRefresh: "compaction",
    ...given,
    profiles: frozen(structuredClone(profiles)),
  });
}

function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
