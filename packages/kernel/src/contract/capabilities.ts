import type { JsonValue } from "../json/json.ts";

/** What an extension asks for, and what an operator grants. Absent: not granted. `true`: all of it. */
export interface Capabilities {
  readonly fs?: true | FsGrant;
  /** Programs as they are asked for: `git`, looked for in `PATH`, or a whole path, which is never the same as the name. */
  readonly spawn?: true | readonly string[];
  /**
   * `host:port` pairs, such as `api.openai.com:443`: hosts that are reached at a public address. `private:host:port` is
   * the same host also where its name leads to an address of this machine or of a private network.
   */
  readonly net?: true | readonly string[];
  /** Names of environment variables. */
  readonly env?: true | readonly string[];
  readonly storage?: true | StorageGrant;
  readonly listen?: true;
  /** May import system modules, such as `node:fs`: everything that this process can do. No member of `host`. */
  readonly system?: true;
}

/** How an extension meets others, each a list of `id@major`. A manifest says it in keys of its own. */
export interface ContractGrants {
  /** Services that it may call: those of `dependsOn`. */
  readonly uses?: readonly string[];
  /** Services that it may give to others. */
  readonly provides?: readonly string[];
  /** Extension points that it may add to. */
  readonly contributes?: readonly string[];
  /** Extension points that it may read, and call what is there. */
  readonly reads?: readonly string[];
}

export type ContractUse = keyof ContractGrants;

/** All that an extension may do. */
export interface Grant extends Capabilities, ContractGrants {}

export interface FsGrant {
  /** Absolute paths of files or folders; `$cwd` is the working folder that the call names. */
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

export interface StorageGrant {
  /** Names as `host.storage(name)` has them; absent: every one. */
  readonly namespaces?: readonly string[];
  /** Most UTF-8 bytes of keys and JSON values, in all namespaces of the extension together; absent: no limit. */
  readonly maxBytes?: number;
}

export type CapabilityName = keyof Capabilities;

export interface ReadFileOptions {
  /** What a relative path is relative to, and what `$cwd` of the grant stands for. Absolute. */
  readonly cwd: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type FileRead =
  | {
      readonly kind: "read";
      readonly bytes: Uint8Array;
      /** Where the path led after links. */
      readonly path: string;
      /** Who may do what with it, as the last nine bits of its mode; absent: the system has none. */
      readonly mode?: number;
    }
  | { readonly kind: "absent"; readonly reason: FileAbsentReason; readonly detail?: string };

/** `denied` is decided before the file is looked for; a link is judged by where it leads. */
export type FileAbsentReason = "not-found" | "denied" | "too-large" | "not-a-file" | "timeout" | "failed";

export interface ListFolderOptions {
  /** As for `readFile`. */
  readonly cwd: string;
  /** Most entries that are given: the first ones, by the bytes of their names. */
  readonly maxEntries: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface FolderEntry {
  readonly name: string;
  /** Kind of the entry itself: where a link leads is not said. `other`: a device, a pipe, a socket, or gone by now. */
  readonly kind: "file" | "folder" | "link" | "other";
  /** 0 for what is not a file. */
  readonly sizeBytes: number;
  /** When the entry itself was last changed, in milliseconds since the Unix epoch; 0 for what is gone by now. */
  readonly modifiedAtMs: number;
}

export type FolderList =
  | {
      readonly kind: "listed";
      readonly entries: readonly FolderEntry[];
      /** How many there are beyond `maxEntries`. */
      readonly leftOut: number;
      /** Where the path led after links. */
      readonly path: string;
    }
  | { readonly kind: "absent"; readonly reason: FolderAbsentReason; readonly detail?: string };

export type FolderAbsentReason = "not-found" | "denied" | "not-a-folder" | "timeout" | "failed";

export interface ReadFolderOptions {
  /** As for `readFile`. */
  readonly cwd: string;
  /** How the names end of the files that are read, such as `.md`; what is called otherwise is passed over. */
  readonly ending: string;
  /** Most files that are given: the first ones, by the bytes of their names. */
  readonly maxFiles: number;
  /** The largest size of each file. */
  readonly maxBytes: number;
  /** By name, the `mark` of what the caller has of a file already: one that still has it is not read again. */
  readonly known?: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type FolderFile = { readonly name: string } & (
  | {
      readonly kind: "read";
      readonly bytes: Uint8Array;
      /** Where the name led after links. */
      readonly path: string;
      /** Another one as soon as the file has changed; `null`: nobody could tell, such as of a link, or of what has just changed. */
      readonly mark: string | null;
    }
  | { readonly kind: "known" }
  | { readonly kind: "absent"; readonly reason: FileAbsentReason; readonly detail?: string }
);

export type FolderFiles =
  | {
      readonly kind: "read";
      readonly files: readonly FolderFile[];
      /** How many there are beyond `maxFiles`. */
      readonly leftOut: number;
      /** Where the path led after links. */
      readonly path: string;
    }
  | { readonly kind: "absent"; readonly reason: FolderAbsentReason; readonly detail?: string };

export interface WriteFileOptions {
  /** As for `readFile`. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Makes the folders on the way that are not there; without it they are `not-found`. */
  readonly createFolders?: boolean;
  /**
   * What the file has to hold for it to be replaced, `null`: there must be none; otherwise the answer is `changed`.
   * Absent: whatever is there is replaced.
   */
  readonly expected?: Uint8Array | null;
  /** Its mode afterwards, nine bits; absent: that of the file that is replaced. A system that has none passes over it. */
  readonly mode?: number;
  /** Where the path has to lead, as `locate` told; otherwise the answer is `changed`. Absent: wherever it leads. */
  readonly place?: string;
  readonly signal?: AbortSignal;
}

export type FileWrite =
  | {
      readonly kind: "written";
      /** Where the path led after links. */
      readonly path: string;
    }
  | { readonly kind: "refused"; readonly reason: FileRefusedReason; readonly detail?: string };

/** After `timeout` the file may have been replaced as a whole, or not; after the others it was not. */
export type FileRefusedReason = "not-found" | "denied" | "not-a-file" | "changed" | "timeout" | "failed";

export interface RemoveFileOptions {
  /** As for `readFile`. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** What the file has to hold for it to be removed; otherwise the answer is `changed`. */
  readonly expected: Uint8Array;
  /** As for `writeFile`. */
  readonly place?: string;
  /** Those of the folders it lies in, absolute and below `cwd`, that go with it where nothing else is in them. */
  readonly emptyFolders?: readonly string[];
  readonly signal?: AbortSignal;
}

export type FileRemoval =
  | {
      readonly kind: "removed";
      /** Where the path led after links. */
      readonly path: string;
      /** Those of `emptyFolders` that went, the innermost first; absent: none. */
      readonly removedFolders?: readonly string[];
    }
  | { readonly kind: "refused"; readonly reason: FileRefusedReason; readonly detail?: string };

export interface LocateFileOptions {
  /** As for `readFile`. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export type FilePlace =
  | {
      readonly kind: "located";
      /** Absolute, links followed, as far as there is something. */
      readonly path: string;
    }
  | { readonly kind: "refused"; readonly reason: FileRefusedReason; readonly detail?: string };

export interface FileSystem {
  /**
   * Reads a regular file whole, from one open handle, or says why not. Never opens a device, a pipe or a folder for
   * reading; never holds more than `maxBytes + 1` bytes, also of a file that grows.
   */
  readFile(path: string, options: ReadFileOptions): Promise<FileRead>;
  /** What a folder holds, in the order of the names' bytes, or why not; governed by `read` of the grant. */
  list(path: string, options: ListFolderOptions): Promise<FolderList>;
  /**
   * Reads the regular files of a folder, each as `readFile` does, or says of each why not; governed by `read` of the grant.
   * For many small files of one folder, which it reads several times as fast, and does not read again while they stay the same.
   */
  readFolder(path: string, options: ReadFolderOptions): Promise<FolderFiles>;
  /** Where a write of this path would go, whether something is there or not; governed by `write` of the grant. */
  locate(path: string, options: LocateFileOptions): Promise<FilePlace>;
  /**
   * Replaces or makes a regular file, or says why not; governed by `write` of the grant. Readers see the old content or
   * the new one, never a part: it is written beside and renamed. A file keeps its mode unless another one is given, and a link in its place still
   * leads to it. Writes of this host to one file happen one after the other, so that of two which `expected` the same,
   * one is told `changed`; another process can still come between the look and the renaming. What was written survives a
   * loss of power once this resolves, as what was removed below.
   */
  writeFile(path: string, bytes: Uint8Array, options: WriteFileOptions): Promise<FileWrite>;
  /** Removes a regular file, or says why not; governed by `write` of the grant, and in one order with the writes of this host. */
  removeFile(path: string, options: RemoveFileOptions): Promise<FileRemoval>;
}

export interface SpawnOptions {
  readonly cwd: string;
  /** Added to the little that every child gets (`PATH`, `HOME`, `LANG`, `TMPDIR`). */
  readonly env?: Readonly<Record<string, string>>;
  /** Most bytes of stdout and stderr together. */
  readonly maxOutputBytes: number;
  /** What happens to a program that prints more: it is killed (absent), or goes on while the rest is dropped. */
  readonly overflow?: "drop";
  /** When it has passed, the child's whole process group is killed. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Told what comes on stdout while the program runs, also what is dropped. It must not throw. */
  readonly onOutput?: (bytes: Uint8Array) => void;
}

export type SpawnResult =
  | {
      readonly kind: "exited";
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
      /** With `overflow: "drop"`: how much there was beyond `maxOutputBytes`; absent: nothing. */
      readonly droppedBytes?: number;
    }
  | {
      readonly kind: "failed";
      readonly reason: "not-installed" | "cwd-not-found" | "timeout" | "too-large" | "aborted" | "failed";
      readonly detail?: string;
      /** What it had printed until it was killed, by the host or by a signal; absent where it did not run. */
      readonly stdout?: Uint8Array;
      readonly stderr?: Uint8Array;
      /** As for one that has exited: how much there was until then beyond `maxOutputBytes`. */
      readonly droppedBytes?: number;
    };

export interface StartProgramOptions {
  readonly cwd: string;
  /** As for `run`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a program ended; one of the two is `null`. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  /** Such as `SIGKILL`. */
  readonly signal: string | null;
}

/** A program that goes on until it ends, or is stopped. */
export interface RunningProgram {
  /**
   * What it prints, once. It is read no faster than it is taken: a program whose output nobody takes has to wait. Whoever
   * leaves before the end closes the pipe.
   */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Resolves once the pipe has taken it all. @throws {Error} when the program does not read any more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Never rejects. What it had started and left behind is killed by then. */
  readonly ended: Promise<ProgramEnd>;
  /**
   * Closes its stdin; asks its whole process group to end (SIGTERM) when it has not done so a moment later, and kills the
   * group another moment later. Resolves when it has ended, after 2 s at most.
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
  /** Runs a program without a shell, stdin closed. @throws {KernelError} `CAPABILITY_DENIED` for a program not granted. */
  run(program: string, args: readonly string[], options: SpawnOptions): Promise<SpawnResult>;
  /**
   * Starts a program without a shell, to talk with it; it is stopped at the latest when the activation ends.
   * @throws {KernelError} `CAPABILITY_DENIED` for a program not granted.
   */
  start(program: string, args: readonly string[], options: StartProgramOptions): Promise<ProgramStart>;
}

/** A request as it left the host: made by the `net` driver from the bytes that it writes, never rebuilt. */
export interface WireRequest {
  readonly method: string;
  /** Without credentials: in the place of each stands `[redacted:credential]`. */
  readonly url: string;
  /** Lower-case names in byte order; in the place of a credential, or a cookie, stands `[redacted:credential]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** U+FFFD stands for each byte that is no UTF-8. */
  readonly body: string;
  /** Hex SHA-256 of the body's bytes. */
  readonly sha256: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Awaited before the first byte leaves; when it rejects, nothing is sent and `fetch` rejects with it. */
export type WireObserver = (request: WireRequest) => void | Promise<void>;

export interface NetFetchOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes out as UTF-8, bytes as they are. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
  /** Told of each request as it leaves, those that follow a redirect too. */
  readonly observe?: WireObserver;
  /**
   * Most redirects to follow, 0 when absent; the one beyond is given as the answer that it is. Each is judged as the
   * first request was, and credentials are left out once it leads to another origin.
   */
  readonly maxRedirects?: number;
}

export interface NetSocketOptions {
  /** Ends the opening, and the socket. */
  readonly signal?: AbortSignal;
  /** Characters that may wait to be read, 33,554,432 when absent: with more the socket ends with the code 1009. */
  readonly maxWaitingLength?: number;
}

/** How a socket has ended: https://www.rfc-editor.org/rfc/rfc6455#section-7.4. 1006: without a word of the other side. */
export interface NetSocketEnd {
  readonly code: number;
  readonly reason: string;
}

/** A WebSocket that is open, for messages that are text; one that is not ends it with the code 1003. */
export interface NetSocket {
  /** What comes, in order, for one reader; ends when the socket does, behind what has come before. Leaving it closes the socket. */
  readonly messages: AsyncIterable<string>;
  /** Never rejects. */
  readonly ended: Promise<NetSocketEnd>;
  /** Does nothing once it has ended. */
  send(text: string): void;
  /** It has ended at once, whether the other side answers or not. 1000 when no code is given. */
  close(code?: number, reason?: string): void;
}

export interface Net {
  /**
   * Connects to an address that was judged, under the name that the URL has: a `host` header is not the caller's to say.
   * @throws {KernelError} `CAPABILITY_DENIED` for a host and port not granted, and for a name that leads to an address of
   *   this machine or of a private network where that was not granted; nothing is sent then.
   */
  fetch(url: string, options?: NetFetchOptions): Promise<Response>;
  /**
   * Opens a WebSocket, under the same grant, to `ws:` and `wss:`; those that are open when the activation ends are closed.
   * @throws {KernelError} `CAPABILITY_DENIED` as `fetch` does. @throws {Error} what the driver says when it cannot be opened, with
   *   the system's `code` where there is one.
   */
  webSocket(url: string, options?: NetSocketOptions): Promise<NetSocket>;
}

export interface Environment {
  /** `undefined`: it is not set. @throws {KernelError} `CAPABILITY_DENIED` for a variable not granted. */
  get(name: string): string | undefined;
}

export interface ListenOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Seconds without a byte until a connection is closed. */
  readonly idleTimeoutSeconds: number;
  /** Larger bodies are answered 413 before `fetch` is called. */
  readonly maxBodyBytes: number;
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** No new connections; open ones have `timeoutMs` to end, then are cut. */
  close(timeoutMs: number): Promise<void>;
}

export interface Listen {
  /** @throws {KernelError} `CAPABILITY_DENIED`. @throws {Error} what the driver says when the port cannot be had. */
  http(options: ListenOptions): Promise<Listener>;
}

/** One line a call; the driver says whose it is and when. No secret may be in it. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, JsonValue>>): void;
  info(message: string, fields?: Readonly<Record<string, JsonValue>>): void;
  warn(message: string, fields?: Readonly<Record<string, JsonValue>>): void;
  error(message: string, fields?: Readonly<Record<string, JsonValue>>): void;
}
