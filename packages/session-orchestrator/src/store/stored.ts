import {
  approvalDecisionSchema,
  approvalEndReasonSchema,
  askerSchema,
  commandCallSchema,
  conversationSchema,
  filePartSchema,
  lazySchema,
  questionActionSchema,
  questionEndReasonSchema,
  redactionSchema,
  restorationIdSchema,
  sha256Schema,
  textPartSchema,
  turnIdSchema,
} from "@incipit/schema";
import * as z from "zod";

export const storedConversationSchema = lazySchema(() =>
  conversationSchema.omit({ status: true, approvals: true, questions: true }).extend({
    archived: z.boolean().default(false),
    forkedFrom: conversationSchema.shape.forkedFrom.default(null),
    parent: conversationSchema.shape.parent.default(null),
    importedAt: conversationSchema.shape.importedAt.default(null),
    allowedTools: conversationSchema.shape.allowedTools.default(null),
    /** `null` before the epoch's first request. */
    toolsSha256: sha256Schema.nullable().default(null),
    toolsModel: z.string().exactOptional(),
  }),
);
export type StoredConversation = z.infer<typeof storedConversationSchema>;

const turnRequestSchema = lazySchema(() =>
  z.object({
    /** Validated on arrival. */
    input: z.union([z.string(), z.array(z.discriminatedUnion("type", [textPartSchema, filePartSchema]))]),
    command: commandCallSchema.exactOptional(),
    model: z.string().exactOptional(),
    system: z.array(z.string()).exactOptional(),
    systemMode: z.enum(["replace", "append"]).exactOptional(),
    maxSteps: z.int().exactOptional(),
    allow: z.array(z.string()).exactOptional(),
    /** Questions of its calls are cancelled, because no user can answer. */
    isUnattended: z.literal(true).exactOptional(),
    maxCost: z.number().exactOptional(),
    schema: z.record(z.string(), z.json()).exactOptional(),
  }),
);
export type TurnRequest = z.infer<typeof turnRequestSchema>;

export const activeTurnSchema = lazySchema(() =>
  z.object({
    conversationId: z.string(),
    turnId: turnIdSchema,
    state: z.enum(["queued", "running"]),
    request: turnRequestSchema,
  }),
);
export type ActiveTurn = z.infer<typeof activeTurnSchema>;

const activeCompactionSchema = lazySchema(() =>
  z.object({
    conversationId: z.string(),
    turnId: turnIdSchema,
    state: z.literal("compacting"),
  }),
);
export type ActiveCompaction = z.infer<typeof activeCompactionSchema>;
export const activeSchema = lazySchema(() => z.union([activeTurnSchema, activeCompactionSchema]));

/** Prevents a second answer. */
export const endedApprovalSchema = lazySchema(() =>
  z.object({ decision: approvalDecisionSchema, reason: approvalEndReasonSchema }),
);

export const endedQuestionSchema = lazySchema(() =>
  z.object({ action: questionActionSchema, reason: questionEndReasonSchema }),
);

export const deletionSchema = lazySchema(() =>
  z.object({
    startedAt: z.string(),
    /** Only the prompt remains, because no prompt builder was loaded. */
    isPromptLeft: z.boolean(),
  }),
);
export type Deletion = z.infer<typeof deletionSchema>;

/** `by` is the owner; missing in records of older hosts. */
export const toolAllowedSchema = lazySchema(() =>
  z.object({ approvalId: z.string(), by: askerSchema.optional().catch(undefined) }),
);

export const grantsAllowedSchema = lazySchema(() =>
  z.object({ name: z.string(), by: askerSchema, grants: z.array(z.string()) }),
);

export const folderAllowedSchema = lazySchema(() => z.object({ approvalId: z.string(), folder: z.string() }));

const partHashSchema = lazySchema(() => z.object({ part: z.string(), sha256: z.string(), sizeBytes: z.int() }));

/** If the history still matches, no other step is read. */
export const sentPartsSchema = lazySchema(() =>
  z.object({
    stepId: z.string(),
    tools: partHashSchema,
    system: partHashSchema,
    messageCount: z.int().nonnegative(),
    messagesSha256: sha256Schema,
  }),
);
export type StoredSentParts = z.infer<typeof sentPartsSchema>;

export const idempotentSendSchema = lazySchema(() =>
  z.object({
    turnId: turnIdSchema,
    afterSeq: z.int(),
    requestSha256: z.string(),
  }),
);
export type IdempotentSend = z.infer<typeof idempotentSendSchema>;

/** The last request of a fork's source, with which the fork's first request is compared. */
export const forkBaseSchema = lazySchema(() =>
  z.object({
    /** The prompt was then copied instead of built. */
    hasSteps: z.boolean(),
    previousStep: z
      .object({
        tools: partHashSchema,
        system: partHashSchema,
        sentMessages: z.int(),
        model: z.string(),
        url: z.string().nullable().default(null),
        hasRequestTier: z.boolean(),
        /** As sent; `null` in records of an earlier version, which used the fork's own messages. */
        messages: z.array(partHashSchema).nullable().default(null),
        requestTierSha256: sha256Schema.nullable().default(null),
        isBuilderAbsent: z.boolean().default(false),
      })
      .nullable(),
  }),
);
export type ForkBase = z.infer<typeof forkBaseSchema>;

const recordedFactsSchema = lazySchema(() =>
  z.object({
    /** Leading messages of the epoch; a compaction's own request follows them. */
    messageCount: z.int().nonnegative(),
    toolsSha256: sha256Schema.nullable(),
    settings: z.record(z.string(), z.json()),
  }),
);
export type RecordedFacts = z.infer<typeof recordedFactsSchema>;

/** Range of `Date` in milliseconds. */
const timeMsSchema = z.number().min(-8.64e15).max(8.64e15);

/** Redacted; the body is a difference from an earlier one. */
const storedWireSchema = lazySchema(() =>
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    sha256: z.string(),
    /** As stored; `null` if equal to the sent one. */
    storedSha256: z.string().nullable().default(null),
    redactions: z.array(redactionSchema).default([]),
    /** `null` in records of older hosts. */
    told: recordedFactsSchema.nullable().default(null),
    at: timeMsSchema,
    /** Its stored body provides the first `prefixLength` UTF-16 units. */
    base: z.string().nullable(),
    prefixLength: z.int(),
    rest: z.string(),
  }),
);
export type StoredWire = z.infer<typeof storedWireSchema>;

const deletedWireSchema = lazySchema(() =>
  z.object({
    deletedAt: timeMsSchema,
    rule: z.enum(["keep_days", "keep_megabytes"]),
    limit: z.number(),
  }),
);
export type DeletedWire = z.infer<typeof deletedWireSchema>;
export const anyWireSchema = lazySchema(() => z.union([storedWireSchema, deletedWireSchema]));

/** Redacted; valid until the next such record. */
export const recordedSystemSchema = lazySchema(() =>
  z.object({
    sha256: sha256Schema,
    texts: z.array(z.string()),
    redactions: z.array(redactionSchema),
  }),
);

/** The text follows in chunks. */
export const storedToolOutputSchema = lazySchema(() =>
  z.object({
    /** UTF-8 size of the original output; larger than the stored part if that is limited. */
    sizeBytes: z.int(),
    chunkCount: z.int(),
  }),
);

const heldSchema = lazySchema(() => z.object({ sha256: sha256Schema, sizeBytes: z.int().nonnegative() }));

/** The previous content has its own key while it is kept. */
export const storedFileChangeSchema = lazySchema(() =>
  z.object({
    by: z.union([
      z.object({ turnId: turnIdSchema, toolCallId: z.string() }),
      z.object({
        restorationId: restorationIdSchema,
        of: z.union([z.object({ from: z.string() }), z.object({ changeIds: z.array(z.string()) })]),
      }),
    ]),
    cwd: z.string(),
    path: z.string(),
    /** `null`: no file; `"unknown"`: unreadable or too large. */
    before: z.union([heldSchema, z.literal("unknown"), z.null()]),
    after: heldSchema.nullable(),
    /** Nine bits; absent without a file or on systems without modes. */
    mode: z.int().optional(),
    /** For a restore: undoing it restores `mode`. */
    setsMode: z.boolean().optional(),
    /** Were missing; absent: none, or the file existed. */
    missingFolders: z.array(z.string()).optional(),
    hasContent: z.boolean(),
  }),
);
export type StoredFileChange = z.infer<typeof storedFileChangeSchema>;

const width = 12;

export const keys = {
  conversation: (id: string): string => `conversation:${id}`,
  archivedIndex: (archived: boolean, id: string): string => `index:archived:${archived}:${id}`,
  modelIndex: ({ archived, model }: { readonly archived: boolean; readonly model: string }, id: string): string =>
    `index:model:${archived}:${encodeURIComponent(model.toWellFormed())}:${id}`,
  task: (parentId: string, id: string): string => `task:${parentId}:${id}`,
  tasks: (parentId: string): string => `task:${parentId}:`,
  allIndexRows: "index:",
  event: (id: string, seq: number): string => `event:${id}:${String(seq).padStart(width, "0")}`,
  events: (id: string): string => `event:${id}:`,
  message: (id: string, index: number): string => `message:${id}:${String(index).padStart(width, "0")}`,
  messages: (id: string): string => `message:${id}:`,
  allMessages: "message:",
  /** Keyed by the turn's newest message. */
  turnEnd: (id: string, index: number): string => `turn-end:${id}:${String(index).padStart(width, "0")}`,
  turnEnds: (id: string): string => `turn-end:${id}:`,
  step: (id: string, stepId: string): string => `step:${id}:${stepId}`,
  steps: (id: string): string => `step:${id}:`,
  wire: (id: string, stepId: string): string => `wire:${id}:${stepId}`,
  wires: (id: string): string => `wire:${id}:`,
  replay: (id: string, replayId: string): string => `replay:${id}:${replayId}`,
  replays: (id: string): string => `replay:${id}:`,
  recordedSystem: (id: string, stepId: string): string => `told-system:${id}:${stepId}`,
  recordedSystems: (id: string): string => `told-system:${id}:`,
  /** Oldest first: step ids begin with their time. */
  recordAge: (stepId: string): string => `record-age:${stepId}`,
  recordAges: "record-age:",
  approval: (id: string, approvalId: string): string => `approval:${id}:${approvalId}`,
  question: (id: string, questionId: string): string => `question:${id}:${questionId}`,
  toolAllowed: (id: string, name: string): string => `tool-allowed:${id}:${name}`,
  grantsAllowed: (id: string, approvalId: string): string => `grants-allowed:${id}:${approvalId}`,
  allGrantsAllowed: (id: string): string => `grants-allowed:${id}:`,
  folderAllowed: (id: string): string => `folder-allowed:${id}`,
  idempotentSend: (id: string, keySha256: string): string => `idempotent-send:${id}:${keySha256}`,
  forkBase: (id: string): string => `fork-base:${id}`,
  waiting: (id: string, turnId: string): string => `waiting:${id}:${turnId}`,
  waitingOf: (id: string): string => `waiting:${id}:`,
  allWaiting: "waiting:",
  allActive: "active:",
  toolList: (sha256: string): string => `tool-list:${sha256}`,
  deferredList: (sha256: string): string => `deferred-list:${sha256}`,
  allDeferredLists: "deferred-list:",
  deferredToolsChunks: (sha256: string): string => `deferred-tools:${sha256}:`,
  deferredToolsChunk: (sha256: string, index: number): string =>
    `deferred-tools:${sha256}:${String(index).padStart(width, "0")}`,
  unfinished: (id: string): string => `unfinished:${id}`,
  /** Also the prefix of its chunk keys; the name is encoded. */
  toolOutput: (id: string, name: string): string => `tool-output:${id}:${encodeURIComponent(name)}`,
  toolOutputChunks: (id: string, name: string): string => `tool-output:${id}:${encodeURIComponent(name)}:`,
  toolOutputChunk: (id: string, name: string, index: number): string =>
    `tool-output:${id}:${encodeURIComponent(name)}:${String(index).padStart(width, "0")}`,
  fileChange: (id: string, changeId: string): string => `file-change:${id}:${changeId}`,
  fileChanges: (id: string): string => `file-change:${id}:`,
  keptFile: (id: string, changeId: string): string => `kept-file:${id}:${changeId}`,
  sentParts: (id: string): string => `sent-parts:${id}`,
  audit: (id: string): string => `audit:${id}`,
  spendAnnounced: (id: string): string => `spend-announced:${id}`,
  deleting: (id: string): string => `deleting:${id}`,
  allDeleting: "deleting:",
  active: (turnId: string): string => `active:${turnId}`,
} as const;

/** Replaces the conversation id in request keys of stateless calls: `wire:call:ID`. */
export const callsOwner = "call";

/** Ids sort by start time. */
export const callKeys = {
  call: (callId: string): string => `call:${callId}`,
  calls: "call:",
  prompt: (callId: string): string => `call-prompt:${callId}`,
  /** Parts that the vendor requires back. */
  reply: (callId: string): string => `call-reply:${callId}`,
  kept: (callId: string): string => `call-kept:${callId}`,
  active: (callId: string): string => `call-active:${callId}`,
  allActive: "call-active:",
} as const;
