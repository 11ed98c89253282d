import type { JsonValue } from "../json/json.ts";

/** Capabilities that a manifest requests or an operator grants. Absent: denied. `true`: unrestricted. */
export interface Capabilities {
  readonly fs?: true | FsGrant;
  /**
   * Programs by their exact spelling: a name such as `git`, which is resolved in `PATH`, or a full path. A path never
   * matches a name.
   */
  readonly spawn?: true | readonly string[];
  /**
   * `host:port` pairs, such as `api.openai.com:443`, for hosts with a public address. `private:host:port` also allows
   * an address of this machine or of a private network.
   */
  readonly net?: true | readonly string[];
  /** Names of environment variables. */
  readonly env?: true | readonly string[];
  readonly storage?: true | StorageGrant;
  readonly listen?: true;
  /**
   * Allows imports of system modules, such as `node:fs`, and with them everything that this process can do. Has no
   * member in `host`.
   */
  readonly system?: true;
}

/** The contracts that an extension may use, each a list of `id@major`. A manifest declares them in separate keys. */
export interface ContractGrants {
  /** Services that the extension may call: `dependsOn` of the manifest. */
  readonly uses?: readonly string[];
  /** Services that the extension may provide. */
  readonly provides?: readonly string[];
  /** Extension points to which the extension may contribute. */
  readonly contributes?: readonly string[];
  /** Extension points whose contributions the extension may read and call. */
  readonly reads?: readonly string[];
}

export type ContractUse = keyof ContractGrants;

/** The complete grant of an extension. */
export interface Grant extends Capabilities, ContractGrants {}

export interface FsGrant {
  /** Absolute paths of files or folders; `$cwd` is the working folder of the call. */
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

export interface StorageGrant {
  /** Names as passed to `host.storage(name)`; absent: all. */
  readonly namespaces?: readonly string[];
  /** Limit in UTF-8 bytes of keys and JSON values, across all namespaces of the extension; absent: unlimited. */
  readonly maxBytes?: number;
}

export type CapabilityName = keyof Capabilities;

export interface ReadFileOptions {
  /** Absolute path that resolves relative paths and replaces `$cwd` of the grant. */
  readonly cwd: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type FileRead =
  | {
      readonly kind: "read";
      readonly bytes: Uint8Array;
      /** The path with links resolved. */
      readonly path: string;
      /** The last nine bits of the file mode; absent on systems without modes. */
      readonly mode?: number;
    }
  | { readonly kind: "absent"; readonly reason: FileAbsentReason; readonly detail?: string };

/** `denied` is decided before the file is accessed; links are resolved first. */
export type FileAbsentReason = "not-found" | "denied" | "too-large" | "not-a-file" | "timeout" | "failed";

export interface ListFolderOptions {
  /** As in `readFile`. */
  readonly cwd: string;
  /** Returns the first entries in byte order of their names. */
  readonly maxEntries: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface FolderEntry {
  readonly name: string;
  /**
   * Kind of the entry itself; links are not followed. `other`: a device, pipe, socket, or an entry removed in the
   * meantime.
   */
  readonly kind: "file" | "folder" | "link" | "other";
  /** 0 unless the entry is a file. */
  readonly sizeBytes: number;
  /**
   * Modification time of the entry itself, in milliseconds since the Unix epoch; 0 for an entry removed in the
   * meantime.
   */
  readonly modifiedAtMs: number;
}

export type FolderList =
  | {
      readonly kind: "listed";
      readonly entries: readonly FolderEntry[];
      /** Number of entries beyond `maxEntries`. */
      readonly leftOut: number;
      /** The path with links resolved. */
      readonly path: string;
    }
  | { readonly kind: "absent"; readonly reason: FolderAbsentReason; readonly detail?: string };

export type FolderAbsentReason = "not-found" | "denied" | "not-a-folder" | "timeout" | "failed";

export interface ReadFolderOptions {
  /** As in `readFile`. */
  readonly cwd: string;
  /** File name suffix, such as `.md`; other files are skipped. */
  readonly ending: string;
  /** Returns the first files in byte order of their names. */
  readonly maxFiles: number;
  /** Limit of each file. */
  readonly maxBytes: number;
  /** By file name, the `mark` of a version that the caller already has; an unchanged file is not read again. */
  readonly known?: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type FolderFile = { readonly name: string } & (
  | {
      readonly kind: "read";
      readonly bytes: Uint8Array;
      /** The path with links resolved. */
      readonly path: string;
      /** Changes with the file; `null` when changes cannot be detected, as for a link or a file modified just now. */
      readonly mark: string | null;
    }
  | { readonly kind: "known" }
  | { readonly kind: "absent"; readonly reason: FileAbsentReason; readonly detail?: string }
);

export type FolderFiles =
  | {
      readonly kind: "read";
      readonly files: readonly FolderFile[];
      /** Number of files beyond `maxFiles`. */
      readonly leftOut: number;
      /** The path with links resolved. */
      readonly path: string;
    }
  | { readonly kind: "absent"; readonly reason: FolderAbsentReason; readonly detail?: string };

export interface WriteFileOptions {
  /** As in `readFile`. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Creates missing parent folders; without it they are `not-found`. */
  readonly createFolders?: boolean;
  /**
   * Required current content of the file, `null` for a new file; the result is `changed` otherwise. Absent: overwrites
   * any content.
   */
  readonly expected?: Uint8Array | null;
  /** File mode after the write, nine bits; absent: the mode of the replaced file. Ignored on systems without modes. */
  readonly mode?: number;
  /** Required target of the path, as returned by `locate`; the result is `changed` otherwise. Absent: any target. */
  readonly place?: string;
  readonly signal?: AbortSignal;
}

export type FileWrite =
  | {
      readonly kind: "written";
      /** The path with links resolved. */
      readonly path: string;
    }
  | { readonly kind: "refused"; readonly reason: FileRefusedReason; readonly detail?: string };

/** After `timeout` the file may or may not have been replaced; after any other reason the file is unchanged. */
export type FileRefusedReason = "not-found" | "denied" | "not-a-file" | "changed" | "timeout" | "failed";

export interface RemoveFileOptions {
  /** As in `readFile`. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Required current content of the file; the result is `changed` otherwise. */
  readonly expected: Uint8Array;
  /** As in `writeFile`. */
  readonly place?: string;
  /** Absolute paths of parent folders below `cwd`, removed with the file when they are empty. */
  readonly emptyFolders?: readonly string[];
  readonly signal?: AbortSignal;
}

export type FileRemoval =
  | {
      readonly kind: "removed";
      /** The path with links resolved. */
      readonly path: string;
      /** Folders of `emptyFolders` that were removed, innermost first; absent: none. */
      readonly removedFolders?: readonly string[];
    }
  | { readonly kind: "refused"; readonly reason: FileRefusedReason; readonly detail?: string };

export interface LocateFileOptions {
  /** As in `readFile`. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type FilePlace =
  | {
      readonly kind: "located";
      /** Absolute path, links resolved as far as the path exists. */
      readonly path: string;
    }
  | { readonly kind: "refused"; readonly reason: FileRefusedReason; readonly detail?: string };

export interface FileSystem {
  /**
   * Reads a regular file completely from one open handle. Never opens a device, pipe or folder; never buffers more than
   * `maxBytes + 1` bytes, even if the file grows.
   */
  readFile(path: string, options: ReadFileOptions): Promise<FileRead>;
  /** Lists a folder in byte order of names. Requires a `read` grant. */
  list(path: string, options: ListFolderOptions): Promise<FolderList>;
  /**
   * Reads the regular files of a folder with the checks of `readFile`. Requires a `read` grant. Several times as fast
   * as `readFile` for many small files, and skips unchanged files.
   */
  readFolder(path: string, options: ReadFolderOptions): Promise<FolderFiles>;
  /** Resolves the target of a write, existing or not. Requires a `write` grant. */
  locate(path: string, options: LocateFileOptions): Promise<FilePlace>;
  /**
   * Creates or replaces a regular file atomically, through a temporary file and a rename. Requires a `write` grant.
   * Keeps the file's mode unless `mode` is set, and writes through links. The host serializes its writes to one file,
   * so of two writes with the same `expected` content one returns `changed`; another process can still interfere
   * between check and rename. Resolves once the write is durable on disk.
   */
  writeFile(path: string, bytes: Uint8Array, options: WriteFileOptions): Promise<FileWrite>;
  /** Removes a regular file, durably on disk. Requires a `write` grant. Serialized with the host's writes. */
  removeFile(path: string, options: RemoveFileOptions): Promise<FileRemoval>;
}

export interface SpawnOptions {
  readonly cwd: string;
  /** Added to the default variables of every child (`PATH`, `HOME`, `LANG`, `TMPDIR`). */
  readonly env?: Readonly<Record<string, string>>;
  /** Limit of stdout and stderr together. */
  readonly maxOutputBytes: number;
  /** Behavior above the limit: kills the program (absent), or continues and drops the rest. */
  readonly overflow?: "drop";
  /** Kills the child's whole process group on timeout. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Receives stdout while the program runs, including dropped bytes. Must not throw. */
  readonly onOutput?: (bytes: Uint8Array) => void;
}

export type SpawnResult =
  | {
      readonly kind: "exited";
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
      /** With `overflow: "drop"`: bytes beyond `maxOutputBytes`; absent: none. */
      readonly droppedBytes?: number;
    }
  | {
      readonly kind: "failed";
      readonly reason: "not-installed" | "cwd-not-found" | "timeout" | "too-large" | "aborted" | "failed";
      readonly detail?: string;
      /** Output until the program was killed by the host or a signal; absent when it did not start. */
      readonly stdout?: Uint8Array;
      readonly stderr?: Uint8Array;
      /** As in the `exited` result. */
      readonly droppedBytes?: number;
    };

export interface StartProgramOptions {
  readonly cwd: string;
  /** As in `run`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Exit status; exactly one member is `null`. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  /** For example `SIGKILL`. */
  readonly signal: string | null;
}

/** A long-running program. */
export interface RunningProgram {
  /**
   * Output, readable once and with backpressure: unread output blocks the program. Leaving the iteration early closes
   * the pipe.
   */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves once the pipe has accepted all bytes. @throws {Error} when the program no longer reads. */
  write(bytes: Uint8Array): Promise<void>;
  /** Never rejects. Remaining child processes are killed before it resolves. */
  readonly ended: Promise<ProgramEnd>;
  /**
   * Closes stdin, sends SIGTERM to the process group after a moment, then SIGKILL after another. Resolves when the
   * program has ended, within 2 s.
   */
  stop(): Promise<void>;
}

export type ProgramStart =
  | { readonly kind: "started"; readonly program: RunningProgram }
  | {
      readonly kind: "failed";
      readonly reason: "not-installed" | "cwd-not-found" | "failed";
      readonly detail?: string;
    };

export interface Spawn {
  /** Runs a program without a shell, with stdin closed. @throws {KernelError} `CAPABILITY_DENIED`. */
  run(program: string, args: readonly string[], options: SpawnOptions): Promise<SpawnResult>;
  /**
   * Starts a program without a shell, with open pipes. The program is stopped when the activation ends.
   * @throws {KernelError} `CAPABILITY_DENIED`.
   */
  start(program: string, args: readonly string[], options: StartProgramOptions): Promise<ProgramStart>;
}

/** A request as sent: recorded by the `net` driver from the bytes that it writes, never reconstructed. */
export interface WireRequest {
  readonly method: string;
  /** Credentials are replaced by `[redacted:credential]`. */
  readonly url: string;
  /** Lower-case names in byte order; the values of credentials and cookies are replaced by `[redacted:credential]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Invalid UTF-8 bytes are replaced by U+FFFD. */
  readonly body: string;
  /** Hex SHA-256 of the body's bytes. */
  readonly sha256: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Awaited before the first byte is sent; when it rejects, nothing is sent and `fetch` rejects with the same error. */
export type WireObserver = (request: WireRequest) => void | Promise<void>;

export interface NetFetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings are sent as UTF-8, bytes unchanged. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
  /** Called for each request before it is sent, including redirects. */
  readonly observe?: WireObserver;
  /**
   * Redirects to follow, 0 by default; above the limit, the redirect response is returned. Each target is checked
   * against the grant, and credentials are removed on a change of origin.
   */
  readonly maxRedirects?: number;
}

export interface NetSocketOptions {
  /** Aborts the connection attempt, and closes an open socket. */
  readonly signal?: AbortSignal;
  /** Limit of unread characters, 33,554,432 by default; above the limit the socket closes with code 1009. */
  readonly maxWaitingLength?: number;
}

/** Close code of a socket: https://www.rfc-editor.org/rfc/rfc6455#section-7.4. 1006: the peer sent no close frame. */
export interface NetSocketEnd {
  readonly code: number;
  readonly reason: string;
}

/** An open WebSocket for text messages; a binary message closes the socket with code 1003. */
export interface NetSocket {
  /**
   * Incoming messages in order, for one reader; ends after the last message when the socket closes. Leaving the
   * iteration early closes the socket.
   */
  readonly messages: AsyncIterable<string>;
  /** Never rejects. */
  readonly ended: Promise<NetSocketEnd>;
  /** Sends a text message; does nothing on a closed socket. */
  send(text: string): void;
  /** Ends immediately, without waiting for the peer. `code` defaults to 1000. */
  close(code?: number, reason?: string): void;
}

export interface Net {
  /**
   * Connects to an address that passed the grant check, with the host name of the URL: a `host` header of the caller is
   * ignored.
   * @throws {KernelError} `CAPABILITY_DENIED` for a host and port not granted, and for a name that resolves to this
   * machine or a private network without such a grant; nothing is sent then.
   */
  fetch(url: string, options?: NetFetchOptions): Promise<Response>;
  /**
   * Opens a WebSocket to a `ws:` or `wss:` URL under the same grant. Open sockets are closed when the activation ends.
   * @throws {KernelError} `CAPABILITY_DENIED` as in `fetch`. @throws {Error} the driver's connection error, with the
   * system's `code` if any.
   */
  webSocket(url: string, options?: NetSocketOptions): Promise<NetSocket>;
}

export interface Environment {
  /** Returns `undefined` for an unset variable. @throws {KernelError} `CAPABILITY_DENIED`. */
  get(name: string): string | undefined;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** Seconds of inactivity before a connection is closed. */
  readonly idleTimeoutSeconds: number;
  /** Larger bodies receive 413 before `fetch` is called. */
  readonly maxBodyBytes: number;
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Stops accepting connections; open connections are cut after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

export interface Listen {
  /** @throws {KernelError} `CAPABILITY_DENIED`. @throws {Error} the driver's error when the port is unavailable. */
  http(options: ListenOptions): Promise<Listener>;
}

/** Writes one line per call; the driver adds extension and time. Must not contain secrets. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, JsonValue>>): void;
  info(message: string, fields?: Readonly<Record<string, JsonValue>>): void;
  warn(message: string, fields?: Readonly<Record<string, JsonValue>>): void;
  error(message: string, fields?: Readonly<Record<string, JsonValue>>): void;
}
