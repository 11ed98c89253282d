import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** A server of tools that the operator has configured. */
export interface ToolServer {
  readonly name: string;
  /** The program with its arguments, or the URL; without secrets. */
  readonly target: string;
  /** `idle`: nobody has needed it yet, or it has ended well. `failed`: it did not start, or has ended by itself. */
  readonly state: "idle" | "starting" | "running" | "failed";
  /** Why it failed last, without secrets; `null`: it did not, or runs again. */
  readonly error: string | null;
  /** As it listed them last; `null`: it has not yet. */
  readonly tools: readonly ToolOfServer[] | null;
  /** What was left out of the list, and why. */
  readonly problems: readonly string[];
  /** What models are told in its own words, without secrets; `null`: nothing, or it did not say yet. */
  readonly instructions: string | null;
}

export interface ToolOfServer {
  /** As models call it. */
  readonly name: string;
  readonly description: string;
  /** What its server says; it may be wrong. */
  readonly isReadOnly: boolean;
  /** Whether a call runs at once, after a person allowed it, or never. */
  readonly approval: "allow" | "ask" | "deny";
}

/** A resource of a server as it describes it. */
export interface ListedResource {
  /** With blanks in braces, where it is a template (RFC 6570). */
  readonly uri: string;
  readonly isTemplate: boolean;
  /** `null`: it does not say. */
  readonly description: string | null;
  /** `null`: it does not say. */
  readonly mediaType: string | null;
}

export interface ResourceList {
  readonly resources: readonly ListedResource[];
  /** What was left out, and why. */
  readonly problems: readonly string[];
}

/** What a resource holds, or one part of it; without secrets. */
export type ResourceContent =
  | {
      readonly type: "text";
      readonly uri: string;
      /** `null`: it does not say. */
      readonly mediaType: string | null;
      readonly text: string;
    }
  | {
      readonly type: "file";
      readonly uri: string;
      readonly mediaType: string;
      /** Base64. */
      readonly data: string;
    };

/** The servers of tools that are configured. */
export interface ToolServers {
  /** By name. Starts none. */
  list(): Promise<readonly ToolServer[]>;
  /**
   * Starts one, unless it runs, and has it list its tools; what goes wrong is in the answer.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`.
   */
  start(name: string, options: { readonly signal: AbortSignal }): Promise<ToolServer>;
  /**
   * What one has to be read; it is started for it, unless it runs.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `TOOL_SERVER_FAILED`, `TOOL_SERVER_LIMIT`.
   */
  resources(name: string, options: { readonly signal: AbortSignal }): Promise<ResourceList>;
  /**
   * What a resource holds, for whoever names it.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `RESOURCE_UNKNOWN`, `TOOL_SERVER_FAILED`, also for too much;
   *   `TOOL_SERVER_LIMIT`.
   */
  readResource(
    name: string,
    uri: string,
    options: {
      /** The working folder that it is for; nothing is started in one that an export has chosen. Absent: the host's own. */
      readonly place?: { readonly cwd: string; readonly isImported: boolean };
      readonly signal: AbortSignal;
    },
  ): Promise<readonly ResourceContent[]>;
  /**
   * Begins a sign-in, and returns the address at which a person goes on with it; their browser comes back to `redirectUrl`,
   * which is on this machine.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `SIGN_IN_FAILED`.
   */
  beginSignIn(name: string, options: { readonly redirectUrl: string }): Promise<BegunSignIn>;
  /**
   * Takes the whole address that the browser came back with, once and within 10 min, and starts the server.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `SIGN_IN_FAILED`.
   */
  finishSignIn(
    name: string,
    options: { readonly address: string; readonly signal: AbortSignal },
  ): Promise<ToolServer>;
  /** Forgets what a sign-in has given. @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `SIGN_IN_FAILED` where nobody signs in. */
  signOut(name: string): Promise<ToolServer>;
}

/** Where a person signs in. */
export interface BegunSignIn {
  /** For their browser; `http:` or `https:`. */
  readonly authorizationUrl: string;
  /** The host of that address, with its port, where it is another one than the server's; `null`: it is the same. */
  readonly foreignHost: string | null;
}

export const toolServersHandle: ServiceHandle<ToolServers> = defineHandle<ToolServers>("tool-servers@1", {
  list: "function",
  start: "function",
  resources: "function",
  readResource: "function",
  beginSignIn: "function",
  finishSignIn: "function",
  signOut: "function",
});
