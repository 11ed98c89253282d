import {
  requestedGrant,
  extensionControlHandle,
  KernelError,
  type Activate,
  type Extension,
  type ExtensionHealth,
  type FailureInfo,
  type Grant,
  type Kernel,
  type KernelErrorCode,
  type LoadRequest,
  type Log,
  type Manifest,
  type SwapReport,
} from "@incipit/kernel";
import {
  extensionManagerHandle,
  folderGrantsHandle,
  workspaceFilesHandle,
  servicePowers,
  ServiceError,
  type ExtensionFailure,
  type ExtensionManager,
  type ManagedExtension,
} from "@incipit/service-contract";
import { capabilitiesSchema, grantRequiredDetailsSchema } from "@incipit/transport-contract";
import { isAbsolute } from "node:path";
import { errorMessage } from "../failures/error-code.ts";
import type { ExtensionFolder } from "../extension-folder/read-extension-folder.ts";
import { hostLogSources } from "../drivers/log-sources.ts";
import { decideGrant } from "./decide-grant.ts";
import type { InstalledExtensions } from "./installed-extensions.ts";
import { StoredData } from "./stored-data.ts";
import { assertSame, failedExtension, idOfFolder, located, withPlace } from "./located-extension.ts";

export interface ExtensionManagerOptions {
  readonly kernel: Kernel;
  readonly installed: InstalledExtensions;
  readonly log: Log;
  readonly builtIn: readonly Manifest[];
  readonly redact: (text: string) => string;
  /** Called before the code starts. Throwing prevents the start. */
  readonly onRead: (extension: Extension) => void;
  readonly isSpare: (manifest: Manifest) => boolean;
}

interface Prepared {
  readonly folder: ExtensionFolder;
  readonly granted: Grant;
  readonly request: LoadRequest;
}

interface Answer {
  readonly grant?: Grant | undefined;
  readonly sha256?: string | undefined;
  readonly stored?: number;
}

interface KnownFolder {
  readonly path: string;
  /** Absent if the kernel has other code. */
  readonly folder: ExtensionFolder | undefined;
}

/** The kernel knows nothing of files. */
export class HostExtensionManager implements ExtensionManager {
  readonly #kernel: Kernel;
  readonly #installed: InstalledExtensions;
  readonly #log: Log;
  readonly #builtIn: ReadonlySet<string>;
  readonly #innerServices: ReadonlySet<string>;
  readonly #redact: (text: string) => string;
  readonly #data: StoredData;
  readonly #onRead: ExtensionManagerOptions["onRead"];
  readonly #isSpare: ExtensionManagerOptions["isSpare"];
  readonly #folders = new Map<string, KnownFolder>();

  /** Code read last, which may throw before it has started. */
  readonly #newest = new Map<string, ExtensionFolder>();

  constructor({ kernel, installed, log, builtIn, redact, onRead, isSpare }: ExtensionManagerOptions) {
    this.#onRead = onRead;
    this.#isSpare = isSpare;
    this.#kernel = kernel;
    this.#data = new StoredData(kernel);
    this.#installed = installed;
    this.#log = log;
    this.#builtIn = new Set(builtIn.map(({ id }) => id));
    this.#innerServices = innerServices(builtIn);
    this.#redact = redact;
  }

  /** Extensions that cannot be loaded are listed as failed. */
  async restore({
    paths,
    disabled,
  }: {
    readonly paths: readonly string[];
    readonly disabled: readonly string[];
  }): Promise<void> {
    const added = this.#installed.all();
    const others = new Set(paths).difference(new Set(added.map(({ path }) => path)));
    for (const { path, id } of [...added, ...[...others].map((path) => ({ path, id: undefined }))]) {
      try {
        await this.#restoreOne(path, { expected: id, disabled });
      } catch (error) {
        this.#log.error(errorMessage(error), { path });
        await this.#listAsFailed(path, id, error);
      }
    }
  }

  async list(): Promise<readonly ManagedExtension[]> {
    return this.#kernel.list().map((health) => {
      const known = this.#folders.get(health.id);
      return {
        ...this.#withoutSecrets(health),
        path: known?.path ?? null,
        isCodeChanged: this.#isChanged(health.id, known?.folder),
      };
    });
  }

  async problems(): Promise<readonly string[]> {
    return this.#installed.damage === undefined ? [] : [this.#installed.damage];
  }

  async get(id: string): Promise<ManagedExtension> {
    const found = (await this.list()).find((extension) => extension.id === id);
    if (found !== undefined) return found;
    const known = this.#kernel.list().map((extension) => `"${extension.id}"`);
    const message = `Unknown extension "${id}"; known extensions: ${known.join(", ")}`;
    throw new KernelError("EXTENSION_UNKNOWN", message, { extension: id });
  }

  async load(id: string): Promise<ManagedExtension> {
    const known = this.#folders.get(id);
    if (known !== undefined && known.folder === undefined) return this.add(known.path);
    await this.#withoutSecretsIn(this.#kernel.load(id));
    return this.get(id);
  }

  async unload(id: string): Promise<ManagedExtension> {
    await this.#kernel.unload(id);
    return this.get(id);
  }

  async add(
    path: string,
    { data, ...given }: NonNullable<Parameters<ExtensionManager["add"]>[1]> = {},
  ): Promise<ManagedExtension> {
    const folder = await this.#read(path);
    const { id } = folder.manifest;
    const health = this.#kernel.list();
    const failed = new Set(health.filter(({ phase }) => phase === "failed").map((extension) => extension.id));
    const listedAsFailed = [...this.#folders].flatMap(([known, { path: at }]) =>
      failed.has(known) && (at === folder.path || known === id) ? [known] : [],
    );
    if (health.some((extension) => extension.id === id) && !listedAsFailed.includes(id)) {
      const message = `Cannot add "${id}" from "${path}": it is already loaded; swap it (incipit extensions swap ${id} ${path})`;
      throw new KernelError("DUPLICATE_EXTENSION", message, { extension: id });
    }
    const other = [...this.#folders].find(
      ([known, { path: at }]) => at === folder.path && !listedAsFailed.includes(known),
    )?.[0];
    if (other !== undefined) {
      const message = `Cannot add "${id}" from "${path}": "${other}" was loaded from there; remove it first`;
      throw new KernelError("DUPLICATE_EXTENSION", message, { extension: id });
    }
    const found = await this.#unclaimed(folder, given.grant);
    const prepared = await this.#prepare(folder, { ...given, stored: data === undefined ? found : 0 });
    for (const known of listedAsFailed) {
      await this.#kernel.remove(known);
      this.#folders.delete(known);
    }
    if (data === "drop" && found > 0) await this.#data.delete(id);
    try {
      await this.#withoutSecretsIn(this.#start(prepared.request));
    } catch (error) {
      if (listedAsFailed.length > 0) await this.#listAsFailed(folder.path, id, error);
      throw error;
    }
    this.#keep(prepared);
    return this.get(id);
  }

  async remove(id: string): ReturnType<ExtensionManager["remove"]> {
    const last = await this.get(id);
    const known = this.#folders.get(id);
    if (known === undefined) {
      const message = `Cannot remove "${id}": it is built in; unload it, or add it to extensions.disabled`;
      throw new ServiceError("EXTENSION_REFUSED", message);
    }
    await this.#kernel.remove(id);
    this.#folders.delete(id);
    this.#newest.delete(id);
    this.#installed.delete(id);
    if (known.folder === undefined) this.#installed.deleteFrom(known.path); // It may be listed under another id.
    return {
      extension: { ...last, phase: "stopped", callsInFlight: 0 },
      stored: await this.#leftBehind(id),
    };
  }

  /** A failing storage is only logged, since the extension is removed already. */
  async #leftBehind(id: string): Promise<number> {
    try {
      return await this.#data.count(id);
    } catch (error) {
      this.#log.error(`Cannot count the stored entries of "${id}": ${errorMessage(error)}`);
      return 0;
    }
  }

  async deleteData(id: string): Promise<void> {
    if (this.#builtIn.has(id) || this.#kernel.list().some((extension) => extension.id === id)) {
      const message = `Cannot delete the stored data of "${id}": it is loaded and may use it; remove it first`;
      throw new ServiceError("EXTENSION_REFUSED", message);
    }
    await this.#data.delete(id);
  }

  async swap(
    id: string,
    { path, data, ...given }: NonNullable<Parameters<ExtensionManager["swap"]>[1]> = {},
  ): Promise<SwapReport> {
    await this.get(id);
    const from = path ?? this.#folders.get(id)?.path;
    if (from === undefined) {
      if (given.grant === undefined) return this.#reported(await this.#withoutSecretsIn(this.#kernel.swap(id)));
      const message = `Cannot grant "${id}" anything: it is built in, with fixed permissions; omit "grant"`;
      throw new ServiceError("INVALID_REQUEST", message);
    }
    const folder = await this.#read(from);
    if (folder.manifest.id !== id) {
      const message = `Cannot swap "${id}" for "${from}": that is "${folder.manifest.id}"; unload the one and add the other`;
      throw new KernelError("MANIFEST_INVALID", message, { extension: id });
    }
    const found = await this.#unclaimed(folder, given.grant);
    const prepared = await this.#prepare(folder, { ...given, stored: data === undefined ? found : 0 });
    if (data === "drop" && found > 0) await this.#data.delete(id);
    let isKept = false;
    const onTakeOver = (): void => {
      try {
        // Stored once it serves, so that a host killed while the old generation drains restarts with it.
        this.#keep(prepared);
        isKept = true;
      } catch (error) {
        this.#log.error(errorMessage(error), { path: folder.path }); // Retried when the swap is over.
      }
    };
    const report = await this.#withoutSecretsIn(this.#kernel.swap(id, { ...prepared.request, onTakeOver }));
    if (!isKept && (report.outcome === "swapped" || report.outcome === "loaded")) this.#keep(prepared);
    return this.#reported(report);
  }

  /** Errors may quote an extension's secrets, and every client can read them. */
  #withoutSecrets(health: ExtensionHealth): ExtensionHealth {
    const { lastError, lastSwap } = health;
    return {
      ...health,
      ...(lastError === undefined ? {} : { lastError: this.#told(lastError) }),
      ...(lastSwap === undefined ? {} : { lastSwap: this.#reported(lastSwap) }),
    };
  }

  #reported(report: SwapReport): SwapReport {
    return report.error === undefined ? report : { ...report, error: this.#told(report.error) };
  }

  #told({ code, message }: FailureInfo): FailureInfo {
    return { code, message: this.#redact(message) };
  }

  async #withoutSecretsIn<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (!KernelError.is(error)) throw error;
      const message = this.#redact(error.message);
      if (message === error.message) throw error;
      const { extension } = error;
      throw new KernelError(error.code, message, {
        ...(extension === undefined ? {} : { extension }),
        cause: error,
      });
    }
  }

  async noteFailure(id: string, { what, error }: ExtensionFailure): Promise<string> {
    const { code, message } = this.#describe(id, error);
    const failure = `${what} of "${id}" failed: ${message}`;
    this.#kernel.noteFailure(id, new KernelError(code, failure, { extension: id, cause: error }));
    return message;
  }

  #describe(id: string, error: unknown): { readonly code: KernelErrorCode; readonly message: string } {
    const code = "CONTRIBUTION_FAILED";
    try {
      // Redacted before clipping, since half a secret would not be recognized.
      const text = this.#redact(errorMessage(error).slice(0, 20 * maxMessageLength)).slice(0, maxMessageLength);
      const words = text.replaceAll(/\s+/g, " ").toWellFormed();
      const folder = this.#folders.get(id)?.folder ?? this.#newest.get(id);
      const place = error instanceof Error ? folder?.authorPlace(String(error.stack)) : undefined;
      const message = place === undefined ? words : `${words} (${place})`;
      return { code: KernelError.is(error) && error.code === "CAPABILITY_DENIED" ? error.code : code, message };
    } catch {
      return { code, message: "threw something that cannot be read" };
    }
  }

  located(id: string, error: unknown): unknown {
    for (const folder of [this.#newest.get(id), this.#folders.get(id)?.folder]) {
      const found = folder === undefined ? error : withPlace(error, folder);
      if (found !== error) return found;
    }
    return error;
  }

  /** Removes the extension from the kernel before it throws. */
  async #start(request: LoadRequest): Promise<void> {
    await this.#kernel.add([request]);
    const { id } = request.extension.manifest;
    const failed = this.#kernel.list().find((extension) => extension.id === id && extension.phase === "failed");
    if (failed === undefined) return;
    await this.#kernel.remove(id);
    const { code = "ACTIVATE_FAILED", message = `Cannot start "${id}"` } = failed.lastError ?? {};
    throw new KernelError(code, message, { extension: id });
  }

  async #restoreOne(
    path: string,
    { expected, disabled }: { readonly expected: string | undefined; readonly disabled: readonly string[] },
  ): Promise<void> {
    const folder = await this.#read(path);
    const { id } = folder.manifest;
    assertSame(expected, { path, id });
    const isDisabled = disabled.includes(id) || this.#isSpare(folder.manifest);
    const request = isDisabled ? this.#requestFor(folder) : (await this.#prepare(folder)).request;
    await this.#kernel.add([{ ...request, isDisabled }]);
    this.#folders.set(id, { path: folder.path, folder });
    const { phase, lastError } = await this.get(id);
    // No caller receives the error of a start.
    if (phase === "failed") this.#log.error(lastError?.message ?? `Cannot start "${id}"`, { path });
    const kept = this.#installed.get(id);
    // Added by an older host without a hash.
    if (kept !== undefined && kept.sha256 === undefined) this.#installed.put({ ...kept, sha256: folder.sha256 });
    if (this.#isChanged(id, folder))
      this.#log.warn("The code has changed since it was added; a swap loads it", { extension: id, path });
  }

  #isChanged(id: string, folder: ExtensionFolder | undefined): boolean {
    const kept = this.#installed.get(id)?.sha256;
    return folder !== undefined && kept !== undefined && kept !== folder.sha256;
  }

  async #listAsFailed(path: string, knownId: string | undefined, error: unknown): Promise<void> {
    const id = this.#freeId(knownId ?? idIn(error) ?? idOfFolder(path), path);
    await this.#kernel.add([{ extension: failedExtension(id, error), trust: "standard" }]);
    this.#folders.set(id, { path, folder: undefined });
  }

  /** Returns a free id: the wanted one or, if that is taken, one derived from the folder's name. */
  #freeId(wanted: string, path: string): string {
    const taken = logNames.union(new Set(this.#kernel.list().map((extension) => extension.id)));
    const name = idOfFolder(path);
    let id = taken.has(wanted) ? name : wanted;
    for (let count = 2; taken.has(id); count += 1) id = `${name}-${count}`;
    return id;
  }

  /** @throws {KernelError} `ID_RESERVED` for ids of the host, since settings and data belong to ids. */
  async #read(path: string): Promise<ExtensionFolder> {
    if (!isAbsolute(path)) {
      const message = `Cannot read an extension from "${path}": it is not absolute; write the full path`;
      throw new KernelError("FOLDER_INVALID", message);
    }
    // Most hosts start without it.
    const { readExtensionFolder } = await import("../extension-folder/read-extension-folder.ts");
    const folder = await readExtensionFolder(path);
    const { id } = folder.manifest;
    if (!this.#builtIn.has(id) && !logNames.has(id)) return folder;
    const message = `Cannot load "${id}" from "${path}": that id belongs to a built-in extension; choose another, and to replace a built-in service, provide it and add the built-in extension to extensions.disabled`;
    throw new KernelError("ID_RESERVED", message, { extension: id });
  }

  /** Another extension with the id may have stored entries to which this one had no access. */
  async #unclaimed({ manifest }: ExtensionFolder, given: Grant | undefined): Promise<number> {
    const { id, capabilities } = manifest;
    const isWithout = capabilities?.storage === undefined || (given !== undefined && given.storage === undefined);
    return isWithout || this.#installed.get(id)?.granted.storage !== undefined ? 0 : this.#data.count(id);
  }

  #grantOf({ manifest, sha256 }: ExtensionFolder, answer: Answer = {}): Grant {
    const { uses = [], provides = [] } = requestedGrant(manifest);
    const inner = [...uses, ...provides].find((service) => this.#innerServices.has(service));
    if (inner !== undefined) throw refused(manifest, inner, "which is reserved for built-in extensions");
    const control = uses.find((service) => controls.has(service));
    const why = `which would let it grant itself anything; that needs the "system" grant (declare and grant "system")`;
    // Checked first, so that the operator does not confirm a grant that would be refused.
    if (control !== undefined && manifest.capabilities?.system !== true) throw refused(manifest, control, why);
    const given = (answer.sha256 ?? sha256) === sha256 ? answer.grant : undefined;
    const { stored = 0 } = answer;
    const granted = decideGrant(manifest, { sha256, given, kept: this.#installed.get(manifest.id), stored });
    if (control !== undefined && granted.system !== true) throw refused(manifest, control, why);
    return granted;
  }

  #requestFor(folder: ExtensionFolder): LoadRequest {
    const activate: Activate = async (host) => {
      const { request } = await this.#prepare(folder);
      await request.extension.activate(host);
    };
    const grant = this.#grantOf(folder);
    return { extension: { manifest: folder.manifest, activate }, grant, trust: "standard" };
  }

  async #prepare(folder: ExtensionFolder, answer?: Answer): Promise<Prepared> {
    const { manifest } = folder;
    const granted = this.#grantOf(folder, answer);
    this.#newest.set(manifest.id, folder);
    const extension: Extension = await folder.load({ isSystemGranted: granted.system === true });
    this.#onRead(extension);
    return {
      folder,
      granted,
      request: {
        extension: located(extension, folder),
        grant: granted,
        trust: "standard",
        isDisabled: this.#isSpare(manifest),
      },
    };
  }

  #keep({ folder, granted }: Prepared): void {
    const { id, version } = folder.manifest;
    this.#folders.set(id, { path: folder.path, folder });
    this.#installed.put({
      id,
      path: folder.path,
      versions: `^${version}`,
      asked: capabilitiesSchema.parse(requestedGrant(folder.manifest)),
      granted: capabilitiesSchema.parse(granted),
      sha256: folder.sha256,
    });
  }
}

const maxMessageLength = 500;

const logNames: ReadonlySet<string> = new Set(hostLogSources);

const controls: ReadonlySet<string> = new Set([extensionManagerHandle.id, extensionControlHandle.id]);

/** They hand over between generations. */
function innerServices(builtIn: readonly Manifest[]): ReadonlySet<string> {
  const hidden = builtIn.flatMap(({ provides = [] }) => provides).filter((id) => !Object.hasOwn(servicePowers, id));
  // Granting permissions for good is reserved to users, and access to files of any folder to the extension that
  // restores them.
  return new Set([...hidden, folderGrantsHandle.id, workspaceFilesHandle.id]);
}

function refused({ id }: Manifest, service: string, why: string): KernelError {
  const message = `Cannot load "${id}": it names "${service}", ${why}: take it out of its manifest`;
  return new KernelError("CAPABILITY_DENIED", message, { extension: id });
}

function idIn(error: unknown): string | undefined {
  if (KernelError.is(error)) return error.extension;
  if (!ServiceError.is(error)) return undefined;
  return grantRequiredDetailsSchema.safeParse(error.details).data?.id;
}
