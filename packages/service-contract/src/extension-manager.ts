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
   * @param options.grant What the operator gives of what it asks for; absent: what was given to this id before.
   * @throws {ServiceError} `GRANT_REQUIRED`, with what it asks for in its details.
   */
  add(path: string, options?: { readonly grant?: Grant | undefined }): Promise<ManagedExtension>;
  /** Unloads one that came from a folder, and forgets it and its grant. What it has stored stays. */
  remove(id: string): Promise<ManagedExtension>;
  /** @param options.path Absent: the same code anew; of a folder, as it is now. */
  swap(
    id: string,
    options?: { readonly path?: string | undefined; readonly grant?: Grant | undefined },
  ): Promise<SwapReport>;
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
    swap: "function",
  },
);
