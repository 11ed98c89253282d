import { defineHandle, type ServiceHandle } from "@incipit/kernel";

/** A configured MCP server. */
export interface ToolServer {
  readonly name: string;
  /** Command line or URL, redacted. */
  readonly target: string;
  /** `idle`: not needed so far, or exited normally. `failed`: did not start, or exited unexpectedly. */
  readonly state: "idle" | "starting" | "running" | "failed";
  /** Redacted error of the last failure; `null` if none, or running again. */
  readonly error: string | null;
  /** The last listed tools; `null` if not listed yet. */
  readonly tools: readonly ToolOfServer[] | null;
  /** Tools omitted from the list, with reasons. */
  readonly problems: readonly string[];
  /** The server's instructions for models, redacted; `null` if none or unknown. */
  readonly instructions: string | null;
}

export interface ToolOfServer {
  /** Name as seen by models. */
  readonly name: string;
  readonly description: string;
  /** As declared by the server; not verified. */
  readonly isReadOnly: boolean;
  /** Whether a call runs immediately, after approval, or never. */
  readonly approval: "allow" | "ask" | "deny";
}

/** A resource as described by its server. */
export interface ListedResource {
  /** For a template, with placeholders in braces (RFC 6570). */
  readonly uri: string;
  readonly isTemplate: boolean;
  /** `null` if not provided. */
  readonly description: string | null;
  /** `null` if not provided. */
  readonly mediaType: string | null;
}

export interface ResourceList {
  readonly resources: readonly ListedResource[];
  /** Omitted entries, with reasons. */
  readonly problems: readonly string[];
}

/** Content of a resource or a part of one, redacted. */
export type ResourceContent =
  | {
      readonly type: "text";
      readonly uri: string;
      /** `null` if not provided. */
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

/** The configured MCP servers. */
export interface ToolServers {
  /** Lists servers by name, without starting any. */
  list(): Promise<readonly ToolServer[]>;
  /**
   * Starts a server unless it runs, and lists its tools. Failures are part of the result.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`.
   */
  start(name: string, options: { readonly signal: AbortSignal }): Promise<ToolServer>;
  /**
   * Lists a server's resources; starts the server if necessary.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `TOOL_SERVER_FAILED`, `TOOL_SERVER_LIMIT`.
   */
  resources(name: string, options: { readonly signal: AbortSignal }): Promise<ResourceList>;
  /**
   * Reads a resource.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `RESOURCE_UNKNOWN`, `TOOL_SERVER_FAILED`, also for too much
   * content; `TOOL_SERVER_LIMIT`.
   */
  readResource(
    name: string,
    uri: string,
    options: {
      /** Working folder of the request; nothing is started in an imported one. Defaults to the host's. */
      readonly place?: { readonly cwd: string; readonly isImported: boolean };
      readonly signal: AbortSignal;
    },
  ): Promise<readonly ResourceContent[]>;
  /**
   * Starts an OAuth sign-in and returns the authorization URL. The browser is redirected to `redirectUrl`, which
   * must be on this machine.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `SIGN_IN_FAILED`.
   */
  beginSignIn(name: string, options: { readonly redirectUrl: string }): Promise<BegunSignIn>;
  /**
   * Completes a sign-in with the full redirect URL, once and within 10 min, and starts the server.
   * @throws {ServiceError} `TOOL_SERVER_UNKNOWN`, `SIGN_IN_FAILED`.
   */
  finishSignIn(
    name: string,
    options: { readonly address: string; readonly signal: AbortSignal },
  ): Promise<ToolServer>;
  /**
   * Deletes the credentials of a sign-in. @throws {ServiceError} `TOOL_SERVER_UNKNOWN`; `SIGN_IN_FAILED` for a
   * server without sign-in.
   */
  signOut(name: string): Promise<ToolServer>;
}

/** A started sign-in. */
export interface BegunSignIn {
  /** `http:` or `https:` URL for the user's browser. */
  readonly authorizationUrl: string;
  /** Host and port of the authorization URL if different from the server's; `null` otherwise. */
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
