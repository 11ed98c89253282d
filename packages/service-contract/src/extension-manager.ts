import {
  defineHandle,
  type ExtensionHealth,
  type Grant,
  type ServiceHandle,
  type SwapReport,
} from "@incipit/kernel";

export interface ManagedExtension extends ExtensionHealth {
  /** The folder that its code came from; `null`: it is built in. */
  readonly path: string | null;
  /** Its code is not the one that it was added with; a swap takes it. */
  readonly isCodeChanged: boolean;
}

/**
 * The extensions of a running host, those that come from folders among them. What was added, and what it was granted, is
 * there again after a restart.
 *
 * Every method rejects with a KernelError or a {@link ServiceError} that names the extension and what to do; nothing has
 * changed then.
 */
export interface ExtensionManager {
  list(): Promise<readonly ManagedExtension[]>;
  /**
   * Notes in an extension's health what something that it adds threw, for those who use that and go on without it.
   * @returns The message in one line, with the place in the author's files where it is known, and without secrets. Never rejects.
   */
  noteFailure(id: string, failure: ExtensionFailure): Promise<string>;
  /** What needs an operator's eye and is no single extension's, a sentence each. */
  problems(): Promise<readonly string[]>;
  get(id: string): Promise<ManagedExtension>;
  load(id: string): Promise<ManagedExtension>;
  unload(id: string): Promise<ManagedExtension>;
  /**
   * Reads an extension from a folder and starts it.
   * @throws {ServiceError} `GRANT_REQUIRED`, with what it asks for in its details.
   */
  add(path: string, options?: GrantOptions): Promise<ManagedExtension>;
  /** Unloads one that came from a folder, and forgets it and its grant. What it has stored stays, and its entries are counted, up to 1,000. */
  remove(id: string): Promise<{ readonly extension: ManagedExtension; readonly stored: number }>;
  /** Deletes what was stored under the id of one that is not there. */
  deleteData(id: string): Promise<void>;
  /** @param options.path Absent: the same code anew; of a folder, as it is now. */
  swap(id: string, options?: GrantOptions & { readonly path?: string | undefined }): Promise<SwapReport>;
}

interface GrantOptions {
  /** What the operator gives of what it asks for; absent: what was given to this id before. */
  readonly grant?: Grant | undefined;
  /** The hash of the code that it is given to; for other code it is asked again. Absent: for the code that is there. */
  readonly sha256?: string | undefined;
  /** What becomes of what was stored under its id when it could not get at that, such as by another one; absent: it is asked. */
  readonly data?: "keep" | "drop" | undefined;
}

export interface ExtensionFailure {
  /** What was used: `[acme:weather]`. */
  readonly what: string;
  /** Whatever was thrown. */
  readonly error: unknown;
}

export const extensionManagerHandle: ServiceHandle<ExtensionManager> = defineHandle<ExtensionManager>(
  "extension-manager@1",
  {
    list: "function",
    noteFailure: "function",
    problems: "function",
    get: "function",
    load: "function",
    unload: "function",
    add: "function",
    remove: "function",
    deleteData: "function",
    swap: "function",
  },
);
