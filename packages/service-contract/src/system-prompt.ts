import {
  defineHandle,
  definePoint,
  type ExtensionPoint,
  type JsonValue,
  type ServiceHandle,
  type StorageBatch,
} from "@incipit/kernel";
import type {
  AbsentReason,
  ConversationSystemPromptResponse,
  Explain,
  LeftOutFileReason,
  PreviewSystemPromptRequest,
  PreviewSystemPromptResponse,
  PromptReason,
  SystemPromptTemplateResponse,
  SystemPromptVariable,
} from "@incipit/schema";
import type { FileTrust } from "./folder-trust.ts";

/** Tools available to a conversation, by name prefix. */
export interface UsableTools {
  /** `null`: all. */
  readonly allowed: readonly string[] | null;
  /** Takes precedence over `allowed`. */
  readonly denied: readonly string[];
}

export interface PromptContext {
  /** PROVIDER/MODEL. */
  readonly model?: string;
  readonly profile?: string;
  /** Skills available to the conversation; `null`: all. Defaults to its profile's current list. */
  readonly skills?: readonly string[] | null;
  /** MCP servers available to the conversation; `null`: all. Defaults to its profile's current list. */
  readonly mcpServers?: readonly string[] | null;
  /** Tools available to the conversation. Defaults to its profile's current list. */
  readonly tools?: UsableTools;
  /** The folder comes from an imported conversation: start no process there. */
  readonly isImported?: boolean;
  readonly reason?: PromptReason;
  /** Author and reason of a rebuild. */
  readonly by?: string;
  readonly note?: string;
  readonly signal?: AbortSignal;
}

/** A resolved prompt that is not stored yet; a failed compaction discards it. */
export interface PreparedPrompt {
  /** `""`: no system field is sent. */
  readonly text: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Writes that store it; the caller may combine them with its own. */
  readonly batch: StorageBatch;
}

/** System messages of a single call, sent verbatim and never stored. */
export interface RequestTier {
  readonly system: readonly string[];
  readonly mode: "replace" | "append";
}

/**
 * Handling of text from an untrusted working folder: used, refused until the user trusts it, or treated as absent.
 */
export type UntrustedPolicy = "allow" | "ask" | "blank";

/**
 * Constructs, stores and explains system prompts. With `[prompt] untrusted = "ask"`, methods that construct a
 * prompt for sending throw a {@link ServiceError} `UNTRUSTED_TEXT` if it includes text from an untrusted working
 * folder, and store nothing.
 */
export interface SystemPromptService {
  /**
   * Checks for untrusted text before anything of a turn is stored. @throws {ServiceError} `UNTRUSTED_TEXT`, if
   * `construct` would.
   */
  assertTrusted(conversationId: string, cwd: string, context?: PromptContext): Promise<void>;
  /**
   * Resolves and stores the prompt of a conversation, and returns it. Concurrent calls for one conversation share
   * one construction.
   * @throws if it cannot be stored, or `signal` aborts; never because of a template or a variable.
   */
  construct(conversationId: string, cwd: string, context?: PromptContext): Promise<string>;
  /** Returns the last constructed prompt byte for byte; `null` if none was constructed. */
  get(conversationId: string): Promise<string | null>;
  /** Resolves a prompt like `construct`, without storing it. */
  prepare(conversationId: string, cwd: string, context?: PromptContext): Promise<PreparedPrompt>;
  /** Returns the stored prompt with its origin. */
  describe(conversationId: string): Promise<ConversationSystemPromptResponse>;
  /**
   * Explains the stored prompt; `null` if none was constructed. With `areTokensEstimated`, tokens are estimated
   * instead of counted, which is faster.
   */
  explain(conversationId: string, options?: { readonly areTokensEstimated?: boolean }): Promise<Explain | null>;
  /** Exports all data of a conversation's prompt, for `importPrompt`; `null` if none was constructed. */
  exportPrompt(conversationId: string): Promise<JsonValue | null>;
  /**
   * Returns the writes that import the result of `exportPrompt` from another host: the identical text and its
   * explanation, marked as imported (`isImported`). The caller commits the batch.
   * @throws {ServiceError} `INVALID_REQUEST` for data not exported by this builder.
   */
  importPrompt(conversationId: string, exported: JsonValue): Promise<StorageBatch>;
  /**
   * Returns the writes that copy a conversation's prompt data to its fork; `null` if none was constructed. The
   * caller commits the batch.
   */
  copyPrompt(fromConversationId: string, options: { readonly to: string }): Promise<StorageBatch | null>;
  /** Deletes a conversation's prompt data. Texts shared with other conversations remain. */
  forget(conversationId: string): Promise<void>;
  /**
   * Returns the result of `construct`, or with `request.system` that of `applyRequestTier`, without storing it.
   * `request.cwd` defaults to `defaultCwd`.
   * @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`.
   */
  preview(
    request: PreviewSystemPromptRequest,
    options: { readonly defaultCwd: string; readonly defaultModel: string; readonly signal?: AbortSignal },
  ): Promise<Readonly<PreviewSystemPromptResponse>>;
  /**
   * Resolves the prompt of a call without a conversation: like `preview`, without parts that require tools, and
   * without token counts. `tier` is absent if the call has no system messages.
   */
  resolveCall(
    cwd: string,
    tier: RequestTier | undefined,
    context?: PromptContext,
  ): Promise<{ readonly systemTexts: readonly string[]; readonly explain: Omit<Explain, "tokens"> }>;
  /**
   * Returns the system messages of a call with a request tier, in order. The stored prompt does not change.
   * `replace` substitutes the request's messages for the base and joins append text and segments to the last one;
   * `append` adds messages that the stored prompt does not contain.
   */
  applyRequestTier(
    conversationId: string,
    cwd: string,
    tier: RequestTier,
    context?: PromptContext,
  ): Promise<readonly string[]>;
  getTemplate(): Promise<SystemPromptTemplateResponse>;
  /** @throws {ServiceError} `TEMPLATE_TOO_LARGE` over 1 MiB of UTF-8. */
  setTemplate(template: string): Promise<void>;
  /** Deletes the stored template, so that the configured or default one applies. */
  deleteTemplate(): Promise<void>;
  getVariables(): Promise<readonly SystemPromptVariable[]>;
}

export const systemPromptHandle: ServiceHandle<SystemPromptService> = defineHandle<SystemPromptService>(
  "system-prompt@1",
  {
    assertTrusted: "function",
    construct: "function",
    get: "function",
    prepare: "function",
    describe: "function",
    explain: "function",
    exportPrompt: "function",
    importPrompt: "function",
    copyPrompt: "function",
    forget: "function",
    preview: "function",
    resolveCall: "function",
    applyRequestTier: "function",
    getTemplate: "function",
    setTemplate: "function",
    deleteTemplate: "function",
    getVariables: "function",
  },
);

export interface PromptVariableContext {
  readonly cwd: string;
  readonly model: string | undefined;
  readonly conversationId: string | undefined;
  /** `false` for a call without a conversation, which has none of the host's tools. */
  readonly hasTools?: boolean;
  /** Restricts to these skills. Defaults to all. */
  readonly skills?: readonly string[];
  /** Handling of files from an untrusted working folder. By default they are used. */
  readonly untrusted?: UntrustedPolicy;
  readonly signal: AbortSignal;
}

/** A file that contributed to a value. */
export interface VariableFile {
  /** Absolute, with links resolved. */
  readonly path: string;
  readonly sizeBytes: number;
  /** The user's trust in the bytes used; `null` for files outside a working folder. */
  readonly trust: FileTrust | null;
}

/** A file, found directly or by a reference, that was omitted from a value. */
export interface LeftOutVariableFile {
  /** Absolute, or as written if it does not resolve to a readable location. */
  readonly path: string;
  readonly reason: LeftOutFileReason;
  /** Human-readable reason, on one line. */
  readonly why: string;
}

/** `detail`: a one-line note for the explain output, such as omitted parts. */
export type VariableAnswer = { readonly detail?: string; readonly leftOut?: readonly LeftOutVariableFile[] } & (
  | { readonly value: string; readonly files?: readonly VariableFile[] }
  | { readonly absent: AbsentReason }
);

/** Default limit of a variable's value, in UTF-8 bytes. */
export const maxVariableBytes = 262_144;

/** Default limit of a segment, in UTF-8 bytes. */
export const maxSegmentBytes = 65_536;

/** Upper limit of `timeoutMs` of a segment. */
export const maxSegmentTimeoutMs = 60_000;

/**
 * A type of variables contributed by an extension. Errors never fail a turn: a throw is `failed`, a late answer
 * `timeout`, more than `maxVariableBytes` `too-large`. List all files read from working folders in the answer: with
 * `[prompt] untrusted = "ask"` the user is asked about them, with `"blank"` the value is absent if they are
 * untrusted.
 */
export interface PromptVariables {
  readonly type: string;
  readonly variables: readonly {
    readonly name: string;
    readonly description: string;
    readonly dynamic?: boolean;
  }[];
  resolve(name: string, context: PromptVariableContext): Promise<VariableAnswer>;
}

export const promptVariablesPoint: ExtensionPoint<PromptVariables> = definePoint<PromptVariables>(
  "prompt-variables@1",
  {
    key: "type",
    members: {
      type: "string",
      variables: "list",
      resolve: "function",
    },
  },
);

/**
 * Text that an extension appends to the base, after a blank line; sent verbatim, not as a template. Omitted if it
 * throws, times out or exceeds `maxSegmentBytes`. If two segments share an id, the first in order wins.
 */
export interface PromptSegment {
  readonly id: string;
  /** Lower first; ties by id. */
  readonly order: number;
  /**
   * `type:name` of a variable with the same text. The segment is omitted where the template already inserts that
   * variable.
   */
  readonly variable?: string;
  /**
   * Time limit when constructing a prompt for sending, if longer than the host's default, such as to start a
   * process. At most `maxSegmentTimeoutMs`.
   */
  readonly timeoutMs?: number;
  text(context: {
    /** `""` in a preview of a new conversation. */
    readonly conversationId: string;
    readonly profile: string | undefined;
    /** Absolute. */
    readonly cwd: string;
    /** `false` for a call without a conversation, which has none of the host's tools. */
    readonly hasTools: boolean;
    /** Restricts to these skills. Defaults to all. */
    readonly skills?: readonly string[];
    /** Restricts to tools of these MCP servers. Defaults to all. */
    readonly mcpServers?: readonly string[];
    /** Restricts to these tools. Defaults to all. */
    readonly tools?: UsableTools;
    /** The folder comes from an imported conversation: start no process there. */
    readonly isImported?: boolean;
    /** Time limit; shorter for a preview. */
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): PromptSegmentText | null | Promise<PromptSegmentText | null>;
}

/** `detail`: a one-line note for the explain output, such as omitted parts. */
export type PromptSegmentText = string | { readonly text: string; readonly detail: string };

export const promptSegmentsPoint: ExtensionPoint<PromptSegment> = definePoint<PromptSegment>("prompt-segments@1", {
  key: "id",
  members: {
    id: "string",
    order: "number",
    variable: "string?",
    timeoutMs: "number?",
    text: "function",
  },
});
