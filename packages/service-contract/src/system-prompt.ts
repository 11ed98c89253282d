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

/** Which tools a conversation may use, by how their names begin. */
export interface UsableTools {
  /** `null`: all of them. */
  readonly allowed: readonly string[] | null;
  /** Also where `allowed` names them. */
  readonly denied: readonly string[];
}

export interface PromptContext {
  /** PROVIDER/MODEL. */
  readonly model?: string;
  readonly profile?: string;
  /** The skills that the conversation may have; `null`: all of them. Absent: as its profile says at this moment. */
  readonly skills?: readonly string[] | null;
  /** The servers of tools that it may have tools of; `null`: all of them. Absent: as its profile says at this moment. */
  readonly mcpServers?: readonly string[] | null;
  /** The tools that it may use. Absent: as its profile says at this moment. */
  readonly tools?: UsableTools;
  /** An export has chosen the folder: nothing is started in it. */
  readonly isImported?: boolean;
  readonly reason?: PromptReason;
  /** Who asked for it, and why; of a rebuild. */
  readonly by?: string;
  readonly note?: string;
  readonly signal?: AbortSignal;
}

/** A prompt that is resolved and not yet stored: a failed compaction drops it, and nothing has changed. */
export interface PreparedPrompt {
  /** `""`: no system field is sent. */
  readonly text: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Stores it when committed, together with the writes of whoever commits it. */
  readonly batch: StorageBatch;
}

/** System texts of one call; they are sent as they are and never stored. */
export interface RequestTier {
  readonly system: readonly string[];
  readonly mode: "replace" | "append";
}

/** What becomes of text from a working folder that nobody trusts: it is used, it is refused until somebody does, or it is absent. */
export type UntrustedPolicy = "allow" | "ask" | "blank";

/**
 * With `[prompt] untrusted = "ask"`, what constructs a prompt to be sent throws a {@link ServiceError} `UNTRUSTED_TEXT` where a
 * part of it is text of a working folder that nobody trusts; nothing is stored then.
 */
export interface SystemPromptService {
  /** @throws {ServiceError} `UNTRUSTED_TEXT`, if `construct` would: asked before anything of a turn is stored. */
  assertTrusted(conversationId: string, cwd: string, context?: PromptContext): Promise<void>;
  /**
   * Resolves and persists the prompt of a conversation, and gives its text. Two at one time for one conversation are one.
   * @throws when it cannot be stored, or `signal` aborts; a template or a variable never makes it throw.
   */
  construct(conversationId: string, cwd: string, context?: PromptContext): Promise<string>;
  /** The text that was constructed last, byte for byte; `null`: never constructed. */
  get(conversationId: string): Promise<string | null>;
  /** The first half of `construct`: resolved, not stored. */
  prepare(conversationId: string, cwd: string, context?: PromptContext): Promise<PreparedPrompt>;
  /** What is kept of a conversation's prompt, with where it came from. */
  describe(conversationId: string): Promise<ConversationSystemPromptResponse>;
  /**
   * How the kept prompt came about; `null`: never constructed. `areTokensEstimated`: they are not counted, for those who may
   * not wait for that.
   */
  explain(conversationId: string, options?: { readonly areTokensEstimated?: boolean }): Promise<Explain | null>;
  /** All that is kept of a conversation's prompt, as plain data for `importPrompt`; `null`: never constructed. */
  exportPrompt(conversationId: string): Promise<JsonValue | null>;
  /**
   * The writes that keep for a conversation what `exportPrompt` gave for it in another host: byte for byte the same text, and
   * how it came about, marked as imported (`isImported`). Nothing is stored until they are committed.
   * @throws {ServiceError} `INVALID_REQUEST` for what `exportPrompt` of this builder did not give.
   */
  importPrompt(conversationId: string, exported: JsonValue): Promise<StorageBatch>;
  /**
   * The writes that keep for a fork all that is kept of its source's prompt; `null`: it was never constructed. Nothing is
   * stored until they are committed.
   */
  copyPrompt(fromConversationId: string, options: { readonly to: string }): Promise<StorageBatch | null>;
  /** Deletes what is kept of a conversation's prompt. Texts that others refer to as well stay theirs. */
  forget(conversationId: string): Promise<void>;
  /**
   * What `construct` would give, or with `request.system` what `applyRequestTier` would; nothing is stored.
   * `request.cwd` absent: `defaultCwd`.
   * @throws {ServiceError} `PROFILE_UNKNOWN`, `CWD_INVALID`.
   */
  preview(
    request: PreviewSystemPromptRequest,
    options: { readonly defaultCwd: string; readonly defaultModel: string; readonly signal?: AbortSignal },
  ): Promise<Readonly<PreviewSystemPromptResponse>>;
  /**
   * What a call without a conversation is sent: what `preview` shows but for what is only of use with tools, and with no token
   * counted. `tier` absent: it brings no texts.
   */
  resolveCall(
    cwd: string,
    tier: RequestTier | undefined,
    context?: PromptContext,
  ): Promise<{ readonly systemTexts: readonly string[]; readonly explain: Omit<Explain, "tokens"> }>;
  /**
   * The system messages of a call with a request tier, in order. The conversation's kept prompt is not touched:
   * `replace` puts the request's texts in place of the base, append and segments join the last one; `append` puts those
   * behind the kept prompt that are not in it already.
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
  /** Takes the stored template away: the configured one, else the default, holds again. */
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
  /** `false`: it is for a call without a conversation, which has none of the host's tools. */
  readonly hasTools?: boolean;
  /** The only skills that it is for; absent: all of them. */
  readonly skills?: readonly string[];
  /** What becomes of files of a working folder that nobody trusts; absent: they are used. */
  readonly untrusted?: UntrustedPolicy;
  readonly signal: AbortSignal;
}

/** A file that a value was made of. */
export interface VariableFile {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly sizeBytes: number;
  /** What a person thinks of the bytes that were used; `null`: it is not the text of a working folder. */
  readonly trust: FileTrust | null;
}

/** A file that exists, or that another one names, and that a value was made without. */
export interface LeftOutVariableFile {
  /** Absolute, or as it is written where it does not lead to a place that may be read. */
  readonly path: string;
  readonly reason: LeftOutFileReason;
  /** The reason in words, in one line. */
  readonly why: string;
}

/** `detail`: a word in one line for whoever asks how the prompt came about, such as what was left out. */
export type VariableAnswer = { readonly detail?: string; readonly leftOut?: readonly LeftOutVariableFile[] } & (
  | { readonly value: string; readonly files?: readonly VariableFile[] }
  | { readonly absent: AbsentReason }
);

/** UTF-8 bytes of one value that an extension gives, unless the host is configured otherwise. */
export const maxVariableBytes = 262_144;

/** UTF-8 bytes of one segment, unless the host is configured otherwise. */
export const maxSegmentBytes = 65_536;

/** Longest that a prompt which is to be sent waits for one segment, whatever that asks for. */
export const maxSegmentTimeoutMs = 60_000;

/**
 * A type of variables that an extension adds. A throw is `failed`, a late answer `timeout`, more than `maxVariableBytes`
 * `too-large`; never a failed turn. One that reads files of a working folder names them in its answer, so that with
 * `[prompt] untrusted = "ask"` a person is asked about them; with `"blank"`, a value of files that nobody trusts is absent.
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
 * Text that an extension appends to the base, after one blank line; sent as it is, not as a template. One that throws, is late
 * or has more than `maxSegmentBytes` is left out of the prompt; of two with one id the first in the order is used.
 */
export interface PromptSegment {
  readonly id: string;
  /** Lower comes first; equal ones by id. */
  readonly order: number;
  /** `type:name` of a variable with the same text: where a template inserts that, the segment adds nothing. Absent: there is none. */
  readonly variable?: string;
  /**
   * How long a prompt that is to be sent waits for it, where that is longer than the host waits by itself: such as for another
   * process that has to start. At most `maxSegmentTimeoutMs`. Absent: as long as the host waits by itself.
   */
  readonly timeoutMs?: number;
  text(context: {
    /** `""`: somebody looks at what a conversation would be told that has not begun. */
    readonly conversationId: string;
    readonly profile: string | undefined;
    /** Absolute. */
    readonly cwd: string;
    /** Whether the host's tools are there: a call without a conversation has none of them. */
    readonly hasTools: boolean;
    /** The only skills that it is for; absent: all of them. */
    readonly skills?: readonly string[];
    /** The only servers of tools that it may have tools of; absent: all of them. */
    readonly mcpServers?: readonly string[];
    /** The tools that it may use; absent: all of them. */
    readonly tools?: UsableTools;
    /** An export has chosen the folder: nothing is started in it. */
    readonly isImported?: boolean;
    /** How long its text is waited for: less where somebody only looks, and nothing is sent. */
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): PromptSegmentText | null | Promise<PromptSegmentText | null>;
}

/** `detail`: a word for whoever asks how the prompt came about, such as what was left out. */
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
