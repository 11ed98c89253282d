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

/** What is stored of a conversation; what runs and waits at this moment is not. */
export const storedConversationSchema = lazySchema(() =>
  conversationSchema.omit({ status: true, approvals: true, questions: true }).extend({
    archived: z.boolean().default(false),
    forkedFrom: conversationSchema.shape.forkedFrom.default(null),
    parent: conversationSchema.shape.parent.default(null),
    importedAt: conversationSchema.shape.importedAt.default(null),
    allowedTools: conversationSchema.shape.allowedTools.default(null),
    /** Names the tools of this epoch; `null`: it has not sent any request yet. */
    toolsSha256: sha256Schema.nullable().default(null),
    /** The model for which the tools of this epoch were last checked; absent: for none. */
    toolsModel: z.string().exactOptional(),
  }),
);
export type StoredConversation = z.infer<typeof storedConversationSchema>;

const turnRequestSchema = lazySchema(() =>
  z.object({
    /** Was checked when it came. */
    input: z.union([z.string(), z.array(z.discriminatedUnion("type", [textPartSchema, filePartSchema]))]),
    /** What it is the text of. */
    command: commandCallSchema.exactOptional(),
    model: z.string().exactOptional(),
    system: z.array(z.string()).exactOptional(),
    systemMode: z.enum(["replace", "append"]).exactOptional(),
    maxSteps: z.int().exactOptional(),
    /** Calls of tools that a person has allowed in it. */
    allow: z.array(z.string()).exactOptional(),
    /** Nobody is there: what its calls ask is cancelled. */
    isUnattended: z.literal(true).exactOptional(),
    maxCost: z.number().exactOptional(),
    schema: z.record(z.string(), z.json()).exactOptional(),
  }),
);
export type TurnRequest = z.infer<typeof turnRequestSchema>;

/** A turn that has not ended: what a restart has to finish or to run. */
export const activeTurnSchema = lazySchema(() =>
  z.object({
    conversationId: z.string(),
    turnId: turnIdSchema,
    state: z.enum(["queued", "running"]),
    request: turnRequestSchema,
  }),
);
export type ActiveTurn = z.infer<typeof activeTurnSchema>;

/** A compaction that was asked for, and has not ended. */
const activeCompactionSchema = lazySchema(() =>
  z.object({
    conversationId: z.string(),
    turnId: turnIdSchema,
    state: z.literal("compacting"),
  }),
);
export type ActiveCompaction = z.infer<typeof activeCompactionSchema>;
export const activeSchema = lazySchema(() => z.union([activeTurnSchema, activeCompactionSchema]));

/** How an approval ended: it cannot be answered again. */
export const endedApprovalSchema = lazySchema(() =>
  z.object({ decision: approvalDecisionSchema, reason: approvalEndReasonSchema }),
);

/** How a question ended: it cannot be answered again. */
export const endedQuestionSchema = lazySchema(() =>
  z.object({ action: questionActionSchema, reason: questionEndReasonSchema }),
);

/** What is left of a conversation that is being deleted, until nothing of it is stored any more. */
export const deletionSchema = lazySchema(() =>
  z.object({
    startedAt: z.string(),
    /** All else is gone: its prompt is with a prompt builder that was not loaded. */
    isPromptLeft: z.boolean(),
  }),
);
export type Deletion = z.infer<typeof deletionSchema>;

/** A tool that is not asked about again in its conversation; `by` says whose, and an older host did not keep that. */
export const toolAllowedSchema = lazySchema(() =>
  z.object({ approvalId: z.string(), by: askerSchema.optional().catch(undefined) }),
);

/** Calls of a tool that are not asked about again in their conversation; `by` says whose tool. */
export const grantsAllowedSchema = lazySchema(() =>
  z.object({ name: z.string(), by: askerSchema, grants: z.array(z.string()) }),
);

/** The folder that tools of an imported conversation may use. */
export const folderAllowedSchema = lazySchema(() => z.object({ approvalId: z.string(), folder: z.string() }));

const partHashSchema = lazySchema(() => z.object({ part: z.string(), sha256: z.string(), sizeBytes: z.int() }));

/** What the newest step that sent anything had sent: where the history still is that, no other step has to be read for it. */
export const sentPartsSchema = lazySchema(() =>
  z.object({
    stepId: z.string(),
    tools: partHashSchema,
    system: partHashSchema,
    messageCount: z.int().nonnegative(),
    /** Hash of the hashes of the messages, one behind the other. */
    messagesSha256: sha256Schema,
  }),
);
export type StoredSentParts = z.infer<typeof sentPartsSchema>;

/** What was sent with an `Idempotency-Key`; the request is that which has this hash. */
export const idempotentSendSchema = lazySchema(() =>
  z.object({
    turnId: turnIdSchema,
    afterSeq: z.int(),
    requestSha256: z.string(),
  }),
);
export type IdempotentSend = z.infer<typeof idempotentSendSchema>;

/** What the source of a fork had sent in its epoch, as far as the fork has it: what the fork's first request is held against. */
export const forkBaseSchema = lazySchema(() =>
  z.object({
    /** Whether there were model calls: then the prompt is what was copied, and not constructed. */
    hasSteps: z.boolean(),
    previousStep: z
      .object({
        tools: partHashSchema,
        system: partHashSchema,
        sentMessages: z.int(),
        model: z.string(),
        /** Where its source sent it; `null`: not known. */
        url: z.string().nullable().default(null),
        hasRequestTier: z.boolean(),
        /** As they were sent; `null`: a version made the record that took what the fork has for that. */
        messages: z.array(partHashSchema).nullable().default(null),
        requestTierSha256: sha256Schema.nullable().default(null),
        isBuilderAbsent: z.boolean().default(false),
      })
      .nullable(),
  }),
);
export type ForkBase = z.infer<typeof forkBaseSchema>;

/** What a request was made from, beside its system texts: with the messages of its epoch it can be made again for another model. */
const recordedFactsSchema = lazySchema(() =>
  z.object({
    /** The first so many messages of its epoch; behind those of a compaction is what asks for the summary. */
    messageCount: z.int().nonnegative(),
    toolsSha256: sha256Schema.nullable(),
    settings: z.record(z.string(), z.json()),
  }),
);
export type RecordedFacts = z.infer<typeof recordedFactsSchema>;

/** Milliseconds since 1970 that a `Date` can hold. */
const timeMsSchema = z.number().min(-8.64e15).max(8.64e15);

/** A request as it left but for secrets; its body is what it shares with an earlier one, and the rest. */
const storedWireSchema = lazySchema(() =>
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    /** Hash of the body that was sent. */
    sha256: z.string(),
    /** Hash of the body that is stored; `null`: it is what was sent, byte for byte. */
    storedSha256: z.string().nullable().default(null),
    redactions: z.array(redactionSchema).default([]),
    /** `null`: it was recorded by a host that did not keep it. */
    told: recordedFactsSchema.nullable().default(null),
    at: timeMsSchema,
    /** Step whose stored body it begins with, for `prefixLength` UTF-16 units. */
    base: z.string().nullable(),
    prefixLength: z.int(),
    rest: z.string(),
  }),
);
export type StoredWire = z.infer<typeof storedWireSchema>;

/** What is left of a request that was deleted by a rule; `limit` is what the rule said then. */
const deletedWireSchema = lazySchema(() =>
  z.object({
    deletedAt: timeMsSchema,
    rule: z.enum(["keep_days", "keep_megabytes"]),
    limit: z.number(),
  }),
);
export type DeletedWire = z.infer<typeof deletedWireSchema>;
export const anyWireSchema = lazySchema(() => z.union([storedWireSchema, deletedWireSchema]));

/** System texts of a step and of those behind it, until the next record of the kind; without the secrets in them. */
export const recordedSystemSchema = lazySchema(() =>
  z.object({
    /** Hash of the JSON of the texts as they were sent. */
    sha256: sha256Schema,
    texts: z.array(z.string()),
    redactions: z.array(redactionSchema),
  }),
);

/** A tool's output that was cut for the model; its text follows in parts. */
export const storedToolOutputSchema = lazySchema(() =>
  z.object({
    /** Size of what the tool gave, in UTF-8: more than what is kept of a very large one. */
    sizeBytes: z.int(),
    chunkCount: z.int(),
  }),
);

const heldSchema = lazySchema(() => z.object({ sha256: sha256Schema, sizeBytes: z.int().nonnegative() }));

/** What a tool, or putting back, did to one file; what was there is under a key of its own, as long as it is kept. */
export const storedFileChangeSchema = lazySchema(() =>
  z.object({
    by: z.union([
      z.object({ turnId: turnIdSchema, toolCallId: z.string() }),
      z.object({
        restorationId: restorationIdSchema,
        /** What it put back: turns, from a message on, or what was done when files were put back before. */
        of: z.union([z.object({ from: z.string() }), z.object({ changeIds: z.array(z.string()) })]),
      }),
    ]),
    /** The working folder of the call. */
    cwd: z.string(),
    path: z.string(),
    /** `null`: there was nothing; `"unknown"`: it could not be read, or is too large. */
    before: z.union([heldSchema, z.literal("unknown"), z.null()]),
    after: heldSchema.nullable(),
    /** The mode of what was there, nine bits; absent: there was nothing, or the system has none. */
    mode: z.int().optional(),
    /** When files were put back: it was given another mode than it had, and has `mode` again on its way back. */
    setsMode: z.boolean().optional(),
    /** Folders on its way that were not there; absent: all were, or there was a file. */
    missingFolders: z.array(z.string()).optional(),
    /** Whether what was there was kept with it; it may have gone since. */
    hasContent: z.boolean(),
  }),
);
export type StoredFileChange = z.infer<typeof storedFileChangeSchema>;

/** How far the index for filters is filled; `before` is the oldest conversation that is in it, `null`: all are. */
export const indexFillSchema = lazySchema(() => z.object({ before: z.string().nullable() }));

const width = 12;

export const keys = {
  conversation: (id: string): string => `conversation:${id}`,
  /** Which conversations are archived, and which are not: a row for each. */
  archivedIndex: (archived: boolean, id: string): string => `index:archived:${archived}:${id}`,
  /** Which of them have which model. */
  modelIndex: ({ archived, model }: { readonly archived: boolean; readonly model: string }, id: string): string =>
    `index:model:${archived}:${encodeURIComponent(model.toWellFormed())}:${id}`,
  /** A row for each task that a conversation has given away. */
  task: (parentId: string, id: string): string => `task:${parentId}:${id}`,
  tasks: (parentId: string): string => `task:${parentId}:`,
  allIndexRows: "index:",
  indexFill: "index-fill:filters",
  event: (id: string, seq: number): string => `event:${id}:${String(seq).padStart(width, "0")}`,
  events: (id: string): string => `event:${id}:`,
  message: (id: string, index: number): string => `message:${id}:${String(index).padStart(width, "0")}`,
  messages: (id: string): string => `message:${id}:`,
  allMessages: "message:",
  /** Beside the message of that index, the newest of its turn. */
  turnEnd: (id: string, index: number): string => `turn-end:${id}:${String(index).padStart(width, "0")}`,
  turnEnds: (id: string): string => `turn-end:${id}:`,
  step: (id: string, stepId: string): string => `step:${id}:${stepId}`,
  steps: (id: string): string => `step:${id}:`,
  wire: (id: string, stepId: string): string => `wire:${id}:${stepId}`,
  wires: (id: string): string => `wire:${id}:`,
  allWires: "wire:",
  replay: (id: string, replayId: string): string => `replay:${id}:${replayId}`,
  replays: (id: string): string => `replay:${id}:`,
  recordedSystem: (id: string, stepId: string): string => `told-system:${id}:${stepId}`,
  recordedSystems: (id: string): string => `told-system:${id}:`,
  /** Oldest first: ids of steps begin with their time. */
  recordAge: (stepId: string): string => `record-age:${stepId}`,
  recordAges: "record-age:",
  /** There once all that was recorded has its age. */
  recordAgesNoted: "record-ages-noted",
  approval: (id: string, approvalId: string): string => `approval:${id}:${approvalId}`,
  question: (id: string, questionId: string): string => `question:${id}:${questionId}`,
  toolAllowed: (id: string, name: string): string => `tool-allowed:${id}:${name}`,
  grantsAllowed: (id: string, approvalId: string): string => `grants-allowed:${id}:${approvalId}`,
  allGrantsAllowed: (id: string): string => `grants-allowed:${id}:`,
  folderAllowed: (id: string): string => `folder-allowed:${id}`,
  idempotentSend: (id: string, keySha256: string): string => `idempotent-send:${id}:${keySha256}`,
  forkBase: (id: string): string => `fork-base:${id}`,
  /** Turns that wait for a person, each an `ActiveTurn` that is `queued`. */
  waiting: (id: string, turnId: string): string => `waiting:${id}:${turnId}`,
  waitingOf: (id: string): string => `waiting:${id}:`,
  allWaiting: "waiting:",
  allActive: "active:",
  /** Shared by all conversations that send it. */
  toolList: (sha256: string): string => `tool-list:${sha256}`,
  /** Shared likewise, with its text in parts. */
  deferredList: (sha256: string): string => `deferred-list:${sha256}`,
  allDeferredLists: "deferred-list:",
  deferredToolsChunks: (sha256: string): string => `deferred-tools:${sha256}:`,
  deferredToolsChunk: (sha256: string, index: number): string =>
    `deferred-tools:${sha256}:${String(index).padStart(width, "0")}`,
  unfinished: (id: string): string => `unfinished:${id}`,
  /** Also the beginning of the keys of its parts: the name is encoded. */
  toolOutput: (id: string, name: string): string => `tool-output:${id}:${encodeURIComponent(name)}`,
  toolOutputChunks: (id: string, name: string): string => `tool-output:${id}:${encodeURIComponent(name)}:`,
  toolOutputChunk: (id: string, name: string, index: number): string =>
    `tool-output:${id}:${encodeURIComponent(name)}:${String(index).padStart(width, "0")}`,
  /** Their ids are in the order in which files were changed. */
  fileChange: (id: string, changeId: string): string => `file-change:${id}:${changeId}`,
  fileChanges: (id: string): string => `file-change:${id}:`,
  /** What was there before that change. */
  keptFile: (id: string, changeId: string): string => `kept-file:${id}:${changeId}`,
  sentParts: (id: string): string => `sent-parts:${id}`,
  /** The sum of its steps. */
  audit: (id: string): string => `audit:${id}`,
  /** Which caps on its cost it has announced. */
  spendAnnounced: (id: string): string => `spend-announced:${id}`,
  deleting: (id: string): string => `deleting:${id}`,
  allDeleting: "deleting:",
  active: (turnId: string): string => `active:${turnId}`,
} as const;
