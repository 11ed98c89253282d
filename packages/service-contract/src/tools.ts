import type {
  AnswerContent,
  ApprovalDecision,
  Asker,
  FilePart,
  QuestionAction,
  QuestionEndReason,
  QuestionField,
  ToolDefinition,
} from "@incipit/schema";
import { definePoint, type ExtensionPoint } from "@incipit/kernel";
import type { PermissionAnswer, PermissionQuestion } from "./model-provider.ts";

/** Whether something may be done that a call brings about, such as a call of a tool in the task that it has given away. */
export interface ToolQuestion extends Omit<PermissionQuestion, "toolCallId"> {
  /** Why it is asked: the answer is for this alone, and nothing that is kept. */
  readonly why: string;
  /** Whose question this passes on, as another conversation's event says. Ignored, as `name` is, unless the tool is the host's own. */
  readonly asker?: Asker;
  /** Resolves with an answer that was given somewhere else: the question ends with it. */
  readonly elsewhere?: Promise<ApprovalDecision>;
}

/** A question for values that only a person knows. The host adds who asks: the tool's extension, or its server. */
export interface ValuesQuestion {
  /** In the words of who asks, of up to 4,000 characters; what cannot be seen in it is left out. */
  readonly message: string;
  /** Up to 50, with up to 200 options each. `looksSecret` is the host's to say. */
  readonly fields: readonly QuestionField[];
  /** Aborts when no answer is wanted any more. */
  readonly signal?: AbortSignal;
}

/** What a person said; `content` is there with `accept`, and fits the fields. */
export interface ValuesAnswer {
  readonly action: QuestionAction;
  /** `limit`: the call has asked too often, and nobody was asked. */
  readonly reason: QuestionEndReason | "limit";
  readonly content?: AnswerContent;
}

/** A text, and files that belong to it, such as pictures. */
export interface ToolAnswer {
  /** Says where in it each file belongs, for a model that does not take them all. */
  readonly text: string;
  /**
   * A model that takes them gets PNG, JPEG, GIF and WebP pictures of up to 2,000 pixels on each side, and sound, whatever
   * `mediaType` says: up to 3,932,160 bytes each, and 12 MiB or 80 files in an epoch. Of others it gets a line that says why.
   */
  readonly files: readonly Pick<FilePart, "mediaType" | "data">[];
}

/** How far a call is, as its tool says. */
export interface ToolProgress {
  readonly progress: number;
  /** What `progress` is when it is done. */
  readonly total?: number;
  /** What it is at. */
  readonly message?: string;
}

/** What a call does to one file. */
export interface FileChange {
  /** Absolute, links followed. */
  readonly path: string;
  /**
   * What the tool takes the file for; `null`: there is none; `undefined`: it could not be read, or is too large. What is kept is
   * what the host reads there itself, where it may put it back.
   */
  readonly before: Uint8Array | null | undefined;
  /** What the call leaves there; `null`: nothing; `undefined`: it has not changed it after all, and what was kept goes. */
  readonly after: Uint8Array | null | undefined;
}

interface ToolContext {
  readonly conversationId: string;
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** What "always" may stand for, beside every call of the tool. */
export interface ToolScope {
  /** Unique among those of the call, and not `tool`. */
  readonly id: string;
  /** In a few words, such as `this command`. */
  readonly label: string;
  /** As a person reads it, behind "always: ". */
  readonly covers: string;
  /** As in grants, `TOOL(PATTERN)`; together they allow the call. */
  readonly patterns: readonly string[];
}

export interface Tool extends ToolDefinition {
  /** Changes nothing, anywhere, whatever its input is. */
  readonly isReadOnly?: boolean;
  /**
   * Whether a call runs at once, after a person allowed it, or never. Absent: `allow` for a tool that is read-only, else
   * `ask`.
   */
  readonly approval?: "allow" | "ask" | "deny";
  /**
   * The server that it is of, for a tool of a source. Where the tools of an epoch take too much room, those of servers are not
   * named in requests, and are looked up when they are needed: `defer` says that they always are, or never. Absent: the host's
   * own tool, which is always named; what an added extension gives is deferred as if the extension were a server.
   */
  readonly server?: {
    readonly name: string;
    readonly defer?: boolean;
    /** A client, such as an editor, has brought it along: it is not of the configuration. */
    readonly isClients?: boolean;
    /** Digest of its command or address: what a person allowed for good counts for that server alone, not for its name. */
    readonly identity?: string;
  };
  /** It keeps each file before it changes it (`keepFile`), and changes nothing else: a call that failed has changed nothing. */
  readonly keepsFiles?: boolean;
  /**
   * It settles soon after `signal` has aborted, with what it has by then, such as what a program has printed: a call that was
   * stopped, or was too late, waits a moment for that. Absent: nobody waits.
   */
  readonly givesPartialOutput?: boolean;
  /** It reads outputs that are kept (`readOutput`): the line that says that one was cut names this tool. */
  readonly readsOutputs?: boolean;
  /** Longest that a call may take; absent: as long as the host waits for a model that is silent. */
  readonly timeoutMs?: number;
  /**
   * Why a person is asked about this call, whatever was allowed for the tool: what it would touch, as a sentence. `undefined`:
   * `approval` decides. Gets what `execute` gets; a throw, and more than 10 s, are a reason too.
   */
  mustAsk?(input: unknown, context: ToolContext): Promise<string | undefined>;
  /**
   * Which of the patterns of grants (`TOOL(PATTERN)`) allow this call together; none: they do not, as with a throw, and after
   * more than 10 s. Absent: only grants for all of its calls count.
   */
  grantedBy?(
    input: unknown,
    context: ToolContext & { readonly patterns: readonly string[] },
  ): Promise<readonly string[]>;
  /** What a person may allow for good with this call, narrowest first. As `grantedBy`. */
  scopes?(input: unknown, context: ToolContext): Promise<readonly ToolScope[]>;
  /**
   * `input` is the parsed object, not yet checked. A throw, and a promise that rejects, become an error result for the
   * model, which gets at most 256 KiB of either; the rest is kept for people.
   */
  execute(
    input: unknown,
    context: ToolContext & {
      /** The turn that calls it. Absent: somebody else does. */
      readonly turnId?: string;
      /** Its call there. */
      readonly toolCallId?: string;
      /**
       * Asks a person in the conversation of the call, for as long as it runs. `deny`, too, when nobody answered in time, and
       * when the turn was stopped. Rejects when the question cannot be stored. Absent: nobody is there to be asked.
       */
      readonly askPermission?: (question: ToolQuestion) => Promise<PermissionAnswer>;
      /**
       * Asks a person in the conversation of the call for values, for as long as it runs; meanwhile the time of the call does not
       * go on. A call asks up to 20 times. `cancel` when nobody answered in time, or is there. Rejects with what is wrong with the
       * question, and when it cannot be stored. Absent: nobody is there to be asked.
       */
      readonly askValues?: (question: ValuesQuestion) => Promise<ValuesAnswer>;
      /**
       * Tells whoever follows the conversation how far the call is: about once in a second, and the newest of what was told
       * meanwhile. Each gives the call its `timeoutMs` anew, for an hour in all. Never throws. Absent: nobody is told.
       */
      readonly tellProgress?: (progress: ToolProgress) => void;
      /**
       * Keeps what a file is before the call changes it, so that a person can have the turn's changes put back: the file is touched
       * when this has resolved. Again for the same path, it stands in the place of what was said before, unless that was done. Never rejects: a change
       * that could not be kept is told of as one. Absent: nobody keeps it.
       */
      readonly keepFile?: (change: FileChange) => Promise<void>;
      /**
       * Reads an output of this conversation that was too long for its result, by the path that the result names. `undefined`:
       * the path is none of an output, or no output is kept under it. Absent: nobody keeps any.
       */
      readonly readOutput?: (path: string) => Promise<string | undefined>;
      /** What `mustAsk` has said of this call, and a person has allowed. Absent: nobody was asked so. */
      readonly allowedAlthough?: string;
      /**
       * What `preview` said of this call, where a person allowed that and nothing else. A tool that would do something else by now
       * asks again (`askPermission`) before it does. Absent: it was not asked about, or what was allowed covers more than the call.
       */
      readonly allowedPreview?: string;
      /**
       * The patterns of grants by which it runs, where only they allow it. `grantedBy` looked at the call earlier: a tool that would
       * touch something else by now, as a link was turned, fails. Absent: it was asked about, or its tool is allowed as a whole.
       */
      readonly allowedPatterns?: readonly string[];
    },
  ): string | ToolAnswer | Promise<string | ToolAnswer>;
  /**
   * What a call would change, for the person who is asked whether it may run: such as a unified diff. It changes nothing
   * itself, and gets what `execute` gets. A throw is shown in its place; after 5 s nobody waits for it.
   */
  preview?(
    input: unknown,
    context: { readonly conversationId: string; readonly cwd: string; readonly signal: AbortSignal },
  ): Promise<string>;
}

const outputPath = /^output:(.+)$/s;

/** How a path names an output that is kept apart, for a tool that reads files. */
export function keptOutputPath(name: string): string {
  return `output:${name}`;
}

/** The name in a path of `keptOutputPath`; `undefined`: it is the path of something else. */
export function keptOutputName(path: string): string | undefined {
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
  /** What is missing, and why; the epoch begins without it. */
  readonly problems: readonly string[];
  /** Names of the MCP servers that it has for this conversation, those that fail among them; absent: none. */
  readonly servers?: readonly string[];
}

/** Tools that have to be asked for, such as those of another process; what is at hand is a `Tool` of `tools@1`. */
export interface ToolSource {
  /** Unique among sources; such as `mcp`. */
  readonly id: string;
  /**
   * The tools that it has now, those of a source that is not running after it was started. Asked when an epoch begins, and
   * before a call of one of its tools. Rejects with the reason when it cannot say; one that is late is left out. A call of
   * what it gives holds no lease: whoever gives it keeps its generation by `waitUntil`.
   */
  tools(options: {
    readonly conversationId: string;
    readonly cwd: string;
    /** An export has chosen the folder, and a person says before each call whether it is used: nothing is started in it before. */
    readonly isImported?: boolean;
    /** The tool that a model calls, which it was told of; only that is needed. Absent: a list is made. */
    readonly call?: string;
    /** The only servers of tools, by name, that the conversation may have tools of; absent: all of them. */
    readonly mcpServers?: readonly string[];
    /** The only skills that it may open; absent: all of them. */
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
