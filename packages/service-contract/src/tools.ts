import type {
  AnswerContent,
  ApprovalDecision,
  Requester,
  FilePart,
  QuestionAction,
  QuestionEndReason,
  QuestionField,
  ToolDefinition,
} from "@incipit/schema";
import { definePoint, type ExtensionPoint } from "@incipit/kernel";
import type { PermissionAnswer, PermissionQuestion } from "./model-provider.ts";

/** Permission request for an action caused by a tool call, such as a tool call in a subtask. */
export interface ToolQuestion extends Omit<PermissionQuestion, "toolCallId"> {
  /** Why permission is needed. The answer applies once and is not stored. */
  readonly why: string;
  /**
   * Origin of a forwarded question, as in the other conversation's event. Like `name`, ignored unless the tool is
   * the host's own.
   */
  readonly asker?: Requester;
  /** Resolves when the question was answered elsewhere, which ends this one. */
  readonly elsewhere?: Promise<ApprovalDecision>;
}

/** A question for values that only the user knows. The host adds the requester: the tool's extension or server. */
export interface ValuesQuestion {
  /** Up to 4,000 characters; invisible characters are removed. */
  readonly message: string;
  /** Up to 50 fields with up to 200 options each. The host sets `looksSecret`. */
  readonly fields: readonly QuestionField[];
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal;
}

/** The user's answer. `content` is present with `accept` and matches the fields. */
export interface ValuesAnswer {
  readonly action: QuestionAction;
  /** `limit`: the call exceeded its number of questions; the user did not see this one. */
  readonly reason: QuestionEndReason | "limit";
  readonly content?: AnswerContent;
}

/** Tool output with attached files, such as images. */
export interface ToolAnswer {
  /** Marks the position of each file, for models that do not accept all of them. */
  readonly text: string;
  /**
   * Models that accept them get PNG, JPEG, GIF and WebP images of up to 2,000 pixels per side, and audio,
   * independent of `mediaType`: up to 3,932,160 bytes each, and 12 MiB or 80 files per epoch. Other files are
   * replaced by a line with the reason.
   */
  readonly files: readonly Pick<FilePart, "mediaType" | "data">[];
}

/** Progress of a call as reported by its tool. */
export interface ToolProgress {
  readonly progress: number;
  /** Value of `progress` at completion. */
  readonly total?: number;
  /** Current activity. */
  readonly message?: string;
}

/** A change of one file by a call. */
export interface FileChange {
  /** Absolute, with links resolved. */
  readonly path: string;
  /**
   * Content that the tool assumes; `null` if the file does not exist; `undefined` if unreadable or too large. The
   * host saves its own copy, where it may restore the file.
   */
  readonly before: Uint8Array | null | undefined;
  /**
   * New content; `null` if deleted; `undefined` if the call did not change it after all, which discards the saved
   * copy.
   */
  readonly after: Uint8Array | null | undefined;
}

interface ToolContext {
  readonly conversationId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** A choice for "always" that is narrower than every call of the tool. */
export interface ToolScope {
  /** Unique in the call; not `tool`. */
  readonly id: string;
  /** Short label, such as `this command`. */
  readonly label: string;
  /** Description that follows "always: ". */
  readonly covers: string;
  /** Grant patterns, `TOOL(PATTERN)`, that together allow the call. */
  readonly patterns: readonly string[];
}

export interface Tool extends ToolDefinition {
  /** Never changes anything, for any input. */
  readonly isReadOnly?: boolean;
  /**
   * Whether a call runs immediately, after approval, or never. Defaults to `allow` for a read-only tool, else
   * `ask`.
   */
  readonly approval?: "allow" | "ask" | "deny";
  /**
   * Server of the tool, for tools of a source. When an epoch's tools take too much space, tools of servers are
   * deferred (omitted from requests and found by tool search); `defer` forces or prevents that. Absent for the
   * host's own tools, which are never deferred; tools of an added extension are deferred as if it were a server.
   */
  readonly server?: {
    readonly name: string;
    readonly defer?: boolean;
    /** Supplied by a client, such as an editor, not by the configuration. */
    readonly isClients?: boolean;
    /** Digest of the server's command or address: permanent permissions apply to that server, not to its name. */
    readonly identity?: string;
  };
  /**
   * Saves each file (`keepFile`) before changing it, and changes nothing else, so that a failed call leaves no
   * changes.
   */
  readonly keepsFiles?: boolean;
  /**
   * Settles soon after `signal` aborts, with partial output, such as a program's output so far. The host waits
   * briefly for it when a call is stopped or times out. By default it does not wait.
   */
  readonly givesPartialOutput?: boolean;
  /** Reads stored outputs (`readOutput`); the truncation notice names this tool. */
  readonly readsOutputs?: boolean;
  /** Time limit of a call. Defaults to the host's timeout for a silent model. */
  readonly timeoutMs?: number;
  /**
   * Returns why this call needs approval regardless of permissions, as a sentence that names the affected resource,
   * or `undefined` to apply `approval`. Gets the arguments of `execute`. A throw, or more than 10 s, requires
   * approval.
   */
  mustAsk?(input: unknown, context: ToolContext): Promise<string | undefined>;
  /**
   * Returns the grant patterns (`TOOL(PATTERN)`) that together allow this call; empty if they do not. A throw, or
   * more than 10 s, counts as empty. Without this method, only grants for all calls of the tool match.
   */
  grantedBy?(
    input: unknown,
    context: ToolContext & { readonly patterns: readonly string[] },
  ): Promise<readonly string[]>;
  /** Returns the scopes for a permanent permission, narrowest first. Failures are handled as for `grantedBy`. */
  scopes?(input: unknown, context: ToolContext): Promise<readonly ToolScope[]>;
  /**
   * Runs the tool. `input` is the parsed object, not yet validated. A throw or rejection becomes an error result
   * for the model. The model gets at most 256 KiB of a result; the full output is stored for users.
   */
  execute(
    input: unknown,
    context: ToolContext & {
      /** The calling turn. Absent if called from outside a turn. */
      readonly turnId?: string;
      /** Its call there. */
      readonly toolCallId?: string;
      /**
       * Asks the user for permission while the call runs. `deny` also on timeout and when the turn is stopped.
       * Rejects if the question cannot be stored. Absent if no user is available.
       */
      readonly askPermission?: (question: ToolQuestion) => Promise<PermissionAnswer>;
      /**
       * Asks the user for values while the call runs; this pauses the call's time limit. At most 20 times per call.
       * `cancel` on timeout or if no user is available. Rejects for an invalid question, or if it cannot be stored.
       * Absent if no user is available.
       */
      readonly askValues?: (question: ValuesQuestion) => Promise<ValuesAnswer>;
      /**
       * Reports progress to followers of the conversation, throttled to about one report per second; the latest report
       * counts. Each report restarts `timeoutMs`, for one hour in total. Never throws. Absent if no client can receive
       * it.
       */
      readonly tellProgress?: (progress: ToolProgress) => void;
      /**
       * Saves a file before the call changes it, so that the user can restore it; change the file only after it
       * resolves. A repeated call for a path replaces the earlier one, unless that change was made. Never rejects:
       * a failed save is reported as such. Absent if changes are not recorded.
       */
      readonly keepFile?: (change: FileChange) => Promise<void>;
      /**
       * Reads a truncated output of this conversation by the path in its result. `undefined` if not found under
       * this path. Absent if outputs are not stored.
       */
      readonly readOutput?: (path: string) => Promise<string | undefined>;
      /** The reason returned by `mustAsk` that the user approved. Absent if approval was not required. */
      readonly allowedAlthough?: string;
      /**
       * The `preview` that the user approved, if the approval covers only this call. If the tool would do something
       * else by now, it must ask again (`askPermission`). Absent otherwise.
       */
      readonly allowedPreview?: string;
      /**
       * The grant patterns that allow this call, if only those do. `grantedBy` ran earlier: fail if the call would
       * now affect something else, such as through a changed link. Absent if the call was approved, or the whole
       * tool is allowed.
       */
      readonly allowedPatterns?: readonly string[];
    },
  ): string | ToolAnswer | Promise<string | ToolAnswer>;
  /**
   * Describes the effect of a call for the approval prompt, such as a unified diff. Has no side effects and gets
   * the arguments of `execute`. A thrown error is shown instead; the time limit is 5 s.
   */
  preview?(
    input: unknown,
    context: { readonly conversationId: string; readonly cwd: string; readonly signal: AbortSignal },
  ): Promise<string>;
}

const outputPath = /^output:(.+)$/s;

/** Returns the path under which file-reading tools find a stored output. */
export function storedOutputPath(name: string): string {
  return `output:${name}`;
}

/** Returns the output name of a path of `storedOutputPath`, or `undefined` for any other path. */
export function storedOutputName(path: string): string | undefined {
  return outputPath.exec(path)?.[1];
}

export const toolsPoint: ExtensionPoint<Tool> = definePoint<Tool>("tools@1", {
  key: "name",
  members: {
    name: "string",
    description: "string",
    inputSchema: "any",
    isReadOnly: "boolean?",
    approval: "string?",
    server: "any?",
    keepsFiles: "boolean?",
    givesPartialOutput: "boolean?",
    readsOutputs: "boolean?",
    timeoutMs: "number?",
    mustAsk: "function?",
    preview: "function?",
    grantedBy: "function?",
    scopes: "function?",
    execute: "function",
  },
});

export interface ToolSourceAnswer {
  readonly tools: readonly Tool[];
  /** Errors that made the list incomplete; the epoch starts regardless. */
  readonly problems: readonly string[];
  /** Names of its MCP servers for this conversation, including failed ones. Defaults to none. */
  readonly servers?: readonly string[];
}

/** A source of tools that must be queried, such as from another process. Static tools use `tools@1`. */
export interface ToolSource {
  /** Unique among sources, such as `mcp`. */
  readonly id: string;
  /**
   * Lists the current tools, starting the source if necessary. Called at the start of an epoch, and before a call
   * of one of its tools. Rejects with the reason on failure; a source that exceeds the time limit is omitted. Calls
   * of its tools hold no lease: the source must keep its generation alive with `waitUntil`.
   */
  tools(options: {
    readonly conversationId: string;
    readonly cwd: string;
    /**
     * The folder comes from an imported conversation, and the user approves each call: start nothing there before
     * that.
     */
    readonly isImported?: boolean;
    /** The tool being called: only this one is needed. Absent when listing. */
    readonly call?: string;
    /** Restricts to these MCP servers. Defaults to all. */
    readonly mcpServers?: readonly string[];
    /** Restricts to these skills. Defaults to all. */
    readonly skills?: readonly string[];
    readonly signal: AbortSignal;
  }): Promise<ToolSourceAnswer>;
}

export const toolSourcesPoint: ExtensionPoint<ToolSource> = definePoint<ToolSource>("tool-sources@1", {
  key: "id",
  members: {
    id: "string",
    tools: "function",
  },
});
