import type { Storage, StorageWrite } from "@incipit/kernel";
import {
  messageSchema,
  ServiceError,
  stepSchema,
  type Conversation,
  type Message,
  type ModelMessage,
  type StepId,
  type TurnId,
} from "@incipit/service-contract";
import type { Approvals } from "./approvals.ts";
import type { EventLog } from "./event-log.ts";
import type { IdempotentSends } from "./idempotent-sends.ts";
import { toModelMessage } from "./model-messages.ts";
import type { OrderedIds } from "./ordered-ids.ts";
import type { PartHash } from "./step-audit.ts";
import { keys, type ActiveTurn, type StoredConversation } from "./stored.ts";
import type { KnownBody } from "./wire-records.ts";

/** What the step before sent: what the next one is held against. */
export interface PreviousStep {
  readonly parts: readonly PartHash[];
  readonly model: string;
  readonly isCompaction: boolean;
  readonly hasRequestTier: boolean;
}

export interface QueuedTurn {
  readonly active: ActiveTurn;
  /** Whether it is acknowledged: until then there is nothing to show or to take away. */
  isStored: boolean;
  /** An end of it that is being stored; gives whether it could be. */
  removing: Promise<boolean> | undefined;
}

export interface RunningTurn {
  /** `undefined`: a compaction. */
  readonly turnId: TurnId | undefined;
  readonly stop: AbortController;
  /** Resolves when its end is stored, or cannot be. */
  readonly ended: Promise<void>;
}

/** One conversation in memory: its record, the history of its epoch, its events, and what waits to run. */
export class LoadedConversation {
  record: StoredConversation;
  readonly log: EventLog;
  /** Of its turns and steps. */
  readonly ids: OrderedIds;
  readonly approvals: Approvals;
  readonly idempotentSends: IdempotentSends;
  /** Messages of this epoch as a model gets them, oldest first. */
  history: ModelMessage[];
  messageCount: number;
  hasSteps: boolean;
  previousStep: PreviousStep | undefined;
  previousBody: KnownBody | undefined;
  readonly queue: QueuedTurn[] = [];
  running: RunningTurn | undefined;
  isCompacting = false;
  /** What runs or waits: one after the other. */
  lastJob: Promise<unknown> = Promise.resolve();
  jobCount = 0;

  constructor(options: {
    readonly record: StoredConversation;
    readonly log: EventLog;
    readonly ids: OrderedIds;
    readonly approvals: Approvals;
    readonly idempotentSends: IdempotentSends;
    readonly history: readonly ModelMessage[];
    readonly messageCount: number;
    readonly hasSteps: boolean;
    readonly previousStep: PreviousStep | undefined;
  }) {
    this.record = options.record;
    this.log = options.log;
    this.ids = options.ids;
    this.approvals = options.approvals;
    this.idempotentSends = options.idempotentSends;
    this.history = [...options.history];
    this.messageCount = options.messageCount;
    this.hasSteps = options.hasSteps;
    this.previousStep = options.previousStep;
  }

  get isIdle(): boolean {
    return this.jobCount === 0 && !this.log.hasFollowers;
  }

  get view(): Conversation {
    const status = this.isCompacting ? "compacting" : this.running === undefined ? "idle" : "running";
    return { ...this.record, lastSeq: this.log.lastSeq, status, approvals: [...this.approvals.open] };
  }

  /** The write of a message that is not part of the history yet; `remember` makes it so once it is stored. */
  messageWrite(message: Message): StorageWrite {
    return { kind: "set", key: keys.message(this.record.id, this.messageCount), value: message };
  }

  remember(message: Message): void {
    this.messageCount += 1;
    this.history.push(toModelMessage(message));
  }

  recordWrite(record: StoredConversation): StorageWrite {
    return { kind: "set", key: keys.conversation(record.id), value: record };
  }

  /** Runs after everything that was asked for before; a failure of one job does not stop the next. */
  enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
    this.jobCount += 1;
    const run = this.lastJob.then(job).finally(() => (this.jobCount -= 1));
    this.lastJob = run.catch(() => undefined); // Whoever asked for the job is told; the next one only waits.
    return run;
  }
}

const pageSize = 1_000;

/** The messages of an epoch, read from the newest back, so that a long life before it costs nothing. */
export async function readHistory(
  storage: Storage,
  record: StoredConversation,
): Promise<{ readonly messages: readonly Message[]; readonly count: number }> {
  const prefix = keys.messages(record.id);
  const found: Message[] = [];
  let end = `${prefix}~`;
  let count = 0;
  for (;;) {
    const page = await storage.list({ start: prefix, end, reverse: true, limit: pageSize }, messageSchema);
    const newest = page[0];
    if (count === 0 && newest !== undefined) count = Number(newest.key.slice(prefix.length)) + 1;
    const ofEpoch = page.filter(({ value }) => value.epoch === record.epoch);
    found.push(...ofEpoch.map(({ value }) => value));
    const oldest = page.at(-1);
    if (oldest === undefined || ofEpoch.length < page.length || page.length < pageSize) break;
    end = oldest.key;
  }
  return { messages: found.toReversed(), count };
}

/** What the last step of a conversation sent, as far as it can be told from its record and the history. */
export async function readPreviousStep(
  storage: Storage,
  record: StoredConversation,
  hashMessages: () => readonly PartHash[],
): Promise<{ readonly newestStepId: StepId | undefined; readonly previousStep: PreviousStep | undefined }> {
  const prefix = keys.steps(record.id);
  const newest = await storage.list({ prefix, reverse: true, limit: 1 }, stepSchema);
  const last = newest[0]?.value;
  if (last === undefined) return { newestStepId: undefined, previousStep: undefined };
  const newestStepId = last.id;
  if (last.epoch !== record.epoch) return { newestStepId, previousStep: undefined };
  let tools: PartHash | undefined;
  let system: PartHash | undefined;
  let end = `${prefix}~`;
  // A part is recorded by the step that sent it first; with a steady prompt that is the first step of the epoch.
  while (tools === undefined || system === undefined) {
    const page = await storage.list({ start: prefix, end, reverse: true, limit: 50 }, stepSchema);
    for (const { value } of page) {
      tools ??= value.parts.find(({ part }) => part === "tools");
      system ??= value.parts.find(({ part }) => part === "system");
    }
    const oldest = page.at(-1);
    if (oldest === undefined) return { newestStepId, previousStep: undefined };
    end = oldest.key;
  }
  const lastPart = last.parts.at(-1)?.part ?? "";
  const sent = lastPart.startsWith("message:") ? Number(lastPart.slice("message:".length)) + 1 : 0;
  return {
    newestStepId,
    previousStep: {
      parts: [tools, system, ...hashMessages().slice(0, sent)],
      model: last.model,
      isCompaction: last.purpose === "compaction",
      hasRequestTier: last.differenceReason === "request-tier",
    },
  };
}

export function conversationUnknown(id: string): ServiceError {
  return new ServiceError(
    "CONVERSATION_UNKNOWN",
    `There is no conversation "${id}"; GET /conversations lists them`,
  );
}
