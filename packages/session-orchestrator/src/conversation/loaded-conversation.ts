import type { Clock, StorageWrite } from "@incipit/kernel";
import type { PartHashes } from "../audit/step-audit.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { PreviousSteps } from "../records/previous-step.ts";
import { type Conversation, type Message, type ModelMessage, type StepId, stepIdSchema } from "@incipit/schema";
import { Approvals } from "../tools/approvals.ts";
import { Questions } from "../tools/questions.ts";
import { StepSum } from "../audit/step-sum.ts";
import { ContextSize, estimatedTokens } from "./context-size.ts";
import { EventLog, type EventLogOptions } from "../events/event-log.ts";
import { IdempotentSends } from "./idempotent-sends.ts";
import { SendableMessages, toModelMessage } from "../call/model-messages.ts";
import { newMessageId, OrderedIds } from "../store/ids.ts";
import { RequestLedger } from "../records/request-ledger.ts";
import { keys, type ActiveTurn, type StoredConversation } from "../store/stored.ts";
import { ToolLists } from "../store/tool-list.ts";
import { FileSnapshots } from "../tools/file-snapshots.ts";
import { ConversationWork } from "./conversation-work.ts";
import { ServiceError } from "@incipit/service-contract";
import { conversationUnknown } from "../failures/service-errors.ts";

export interface QueuedTurn {
  readonly active: ActiveTurn;
  /** Whether the conversation is stored; it is hidden until then. */
  isStored: boolean;
  /** Queued before the host's last end; needs confirmation. */
  isWaiting: boolean;
  removing: Promise<boolean> | undefined;
}

/** From storage. */
export interface ReadConversation extends PreviousSteps {
  readonly record: StoredConversation;
  readonly lastSeq: number;
  readonly history: readonly ModelMessage[];
  readonly messageCount: number;
  readonly hashes: PartHashes;
  readonly contextTokens: number | undefined;
  readonly waiting: readonly ActiveTurn[];
}

export class LoadedConversation {
  readonly log: EventLog;
  readonly ids: OrderedIds;
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly idempotentSends: IdempotentSends;
  readonly requests: RequestLedger;
  readonly stepSum: StepSum;
  readonly toolLists: ToolLists;
  readonly keptFiles: FileSnapshots;
  readonly queue: QueuedTurn[] = [];
  readonly work = new ConversationWork();
  readonly sendable = new SendableMessages();
  readonly contextSize: ContextSize;
  readonly #clock: Clock;
  #messageCount: number;
  #hasSteps: boolean;
  #history: ModelMessage[] = [];
  #historyLength = 0;
  #record: StoredConversation;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(
    context: OrchestratorContext,
    read: ReadConversation,
    events: Pick<EventLogOptions, "pace" | "maxRecent">,
  ) {
    const { storage, clock } = context;
    const { record, lastSeq, newestStepId } = read;
    const conversationId = record.id;
    this.#record = record;
    this.#clock = clock;
    this.log = new EventLog({ conversationId, storage, clock, lastSeq, ...events });
    this.ids = new OrderedIds(clock);
    this.ids.follow(conversationId);
    if (newestStepId !== undefined) this.ids.follow(newestStepId);
    const asking = { conversationId, storage, clock, log: this.log };
    this.approvals = new Approvals(asking);
    this.questions = new Questions(asking);
    this.idempotentSends = new IdempotentSends(asking);
    for (const message of read.history) this.#keep(message);
    this.#messageCount = read.messageCount;
    this.#hasSteps = read.hasSteps;
    this.requests = new RequestLedger(context, { ...read, conversationId });
    this.stepSum = new StepSum(storage, conversationId);
    this.toolLists = new ToolLists(storage);
    this.keptFiles = new FileSnapshots(context, { conversationId, ids: this.ids });
    this.contextSize = new ContextSize(read.contextTokens);
    for (const active of read.waiting) this.keepWaiting(active);
  }

  get record(): StoredConversation {
    return this.#record;
  }

  get hasSteps(): boolean {
    return this.#hasSteps;
  }

  get messageCount(): number {
    return this.#messageCount;
  }

  get isIdle(): boolean {
    return this.work.isIdle && this.queue.length === 0 && !this.log.hasFollowers;
  }

  get history(): readonly ModelMessage[] {
    return this.#history;
  }

  get contextTokens(): number {
    const { tokens } = this.contextSize;
    if (tokens === undefined) return estimatedTokens(this.#history);
    const answered = this.#history.findLastIndex(({ role }) => role === "assistant");
    return tokens + estimatedTokens(this.#history.slice(answered + 1));
  }

  /** Approximate memory size, in UTF-16 units. */
  get length(): number {
    const { log, requests, toolLists } = this;
    return this.#historyLength + log.recentLength + requests.length + toolLists.length;
  }

  get view(): Conversation {
    return toView(this.record, {
      lastSeq: this.log.lastSeq,
      status: this.#status,
      approvals: [...this.approvals.open],
      questions: [...this.questions.open],
    });
  }

  get #status(): Conversation["status"] {
    if (this.work.isCompacting) return "compacting";
    if (this.work.isRunning) return "running";
    return this.queue.some(({ isWaiting }) => isWaiting) ? "waiting" : "idle";
  }

  nextStepId(): StepId {
    this.#hasSteps = true;
    return this.ids.next(stepIdSchema);
  }

  keepWaiting(active: ActiveTurn): void {
    this.queue.push({ active, isStored: true, isWaiting: true, removing: undefined });
  }

  newMessage(said: Pick<Message, "role" | "parts" | "turnId">, nowMs = this.#clock.now()): Message {
    const createdAt = new Date(nowMs).toISOString();
    return { id: newMessageId(nowMs), ...said, epoch: this.record.epoch, createdAt };
  }

  /** Write of a new message, after `ahead` others; call `remember` once stored. */
  messageWrite(message: Message, ahead = 0): StorageWrite {
    return { kind: "set", key: keys.message(this.record.id, this.#messageCount + ahead), value: message };
  }

  beginEpoch(messages: readonly Message[]): void {
    this.#history = [];
    this.#historyLength = 0;
    for (const message of messages) this.remember(message);
    this.contextSize.beginEpoch();
  }

  /** As new objects, to invalidate caches. */
  readAgain(messages: readonly Message[]): void {
    this.#history = [];
    this.#historyLength = 0;
    for (const message of messages) this.#keep({ ...toModelMessage(message) });
  }

  remember(message: Message): void {
    this.#messageCount += 1;
    this.#keep(toModelMessage(message));
  }

  #keep(message: ModelMessage): void {
    this.#history.push(message);
    for (const part of message.parts) this.#historyLength += lengthOf(part);
  }

  /** Applied after all earlier changes, so that none is lost. When `store` rejects, nothing has changed. */
  changeRecord<Result>(
    change: (record: StoredConversation) => StoredConversation,
    store: (write: StorageWrite) => Promise<Result>,
  ): Promise<Result> {
    const changed = this.#lastChange.then(async () => {
      const record = change(this.#record);
      const stored = await store({ kind: "set", key: keys.conversation(record.id), value: record });
      this.#record = record;
      return stored;
    });
    this.#lastChange = changed.catch(() => undefined); // The caller receives the error.
    return changed;
  }
}

function lengthOf(part: ModelMessage["parts"][number]): number {
  const metadata = "metadata" in part ? JSON.stringify(part.metadata).length : 0;
  switch (part.type) {
    case "text":
    case "reasoning":
      return metadata + part.text.length;
    case "file":
      return part.data.length;
    case "tool-call":
      return metadata + part.input.length;
    case "tool-result":
      return part.output.length + (part.files ?? []).reduce((sum, { data }) => sum + data.length, 0);
  }
}

export function toView(
  // oxlint-disable-next-line no-unused-vars -- omitted: internal to this package
  { toolsSha256, toolsModel, ...record }: StoredConversation,
  facts: Pick<Conversation, "lastSeq" | "status" | "approvals" | "questions">,
): Conversation {
  return { ...record, ...facts };
}

/** @throws {ServiceError} `CONVERSATION_UNKNOWN`. */
export function assertNotDeleted({ record, work }: LoadedConversation): void {
  if (work.isClosed) throw conversationUnknown(record.id);
  if (record.deletedAt === undefined) return;
  const message = `Conversation "${record.id}" is deleted and will be erased soon: undo the deletion on the page where it was deleted, or use another conversation`;
  throw new ServiceError("CONVERSATION_UNKNOWN", message, { next: { action: "list-conversations" } });
}
