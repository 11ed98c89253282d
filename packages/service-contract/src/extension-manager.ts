import {
  defineHandle,
  type ExtensionHealth,
  type Grant,
  type ServiceHandle,
  type SwapReport,
} from "@incipit/kernel";

export interface ManagedExtension extends ExtensionHealth {
  /** Folder that the code was loaded from; `null` for a built-in extension. */
  readonly path: string | null;
  /** The files differ from the loaded code; `swap` loads them. */
  readonly isCodeChanged: boolean;
}

/**
 * Manages the extensions of a running host, built-in and loaded from folders. Added extensions and their grants persist
 * across restarts.
 *
 * Every method rejects with a KernelError or a {@link ServiceError} that names the extension and the remedy; a rejected
 * call changes nothing.
 */
export interface ExtensionManager {
  list(): Promise<readonly ManagedExtension[]>;
  /**
   * Records in an extension's health an error of one of its contributions, for consumers that handle the error and
   * continue. Never rejects.
   * @returns The message on one line, redacted, with the location in the author's files if known.
   */
  noteFailure(id: string, failure: ExtensionFailure): Promise<string>;
  /** Problems that need the operator's attention and concern no single extension, one sentence each. */
  problems(): Promise<readonly string[]>;
  get(id: string): Promise<ManagedExtension>;
  load(id: string): Promise<ManagedExtension>;
  unload(id: string): Promise<ManagedExtension>;
  /**
   * Loads an extension from a folder and starts it.
   * @throws {ServiceError} `GRANT_REQUIRED`, with the requested permissions in its details.
   */
  add(path: string, options?: GrantOptions): Promise<ManagedExtension>;
  /**
   * Unloads an extension loaded from a folder, and forgets it and its grant. Its stored data remains; `stored`
   * counts the entries, up to 1,000.
   */
  remove(id: string): Promise<{ readonly extension: ManagedExtension; readonly stored: number }>;
  /** Deletes the stored data of an extension that is not installed. */
  deleteData(id: string): Promise<void>;
  /**
   * Replaces the code of an extension.
   * @param options.path Folder of the new code. Defaults to the current folder, read again.
   */
  swap(id: string, options?: GrantOptions & { readonly path?: string | undefined }): Promise<SwapReport>;
}

interface GrantOptions {
  /** Permissions granted by the operator. Defaults to those granted to this id before. */
  readonly grant?: Grant | undefined;
  /** Hash of the code that the grant is for; other code requires approval again. Defaults to the current code. */
  readonly sha256?: string | undefined;
  /**
   * What to do with data stored under this id that the extension could not access otherwise, such as data of another
   * extension. Required in that case.
   */
  readonly data?: "keep" | "drop" | undefined;
}

export interface ExtensionFailure {
  /** The failed contribution, such as `[acme:weather]`. */
  readonly what: string;
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
