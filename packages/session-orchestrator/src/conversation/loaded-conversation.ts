import type { StorageWrite } from "@incipit/kernel";
import type { Conversation, Message, ModelMessage, StepId } from "@incipit/schema";
import type { Approvals } from "../tools/approvals.ts";
import type { Questions } from "../tools/questions.ts";
import type { StepSum } from "../audit/step-sum.ts";
import { ContextSize } from "./context-size.ts";
import { estimatedTokens } from "./estimated-tokens.ts";
import type { EventLog } from "../events/event-log.ts";
import type { IdempotentSends } from "./idempotent-sends.ts";
import { SendableMessages, toModelMessage } from "../call/model-messages.ts";
import type { OrderedIds } from "../store/ordered-ids.ts";
import type { RequestLedger } from "../records/request-ledger.ts";
import { keys, type ActiveTurn, type StoredConversation } from "../store/stored.ts";
import type { ToolLists } from "../store/tool-list.ts";
import type { FileSnapshots } from "../tools/file-snapshots.ts";
import { ConversationWork } from "./conversation-work.ts";

export interface QueuedTurn {
  readonly active: ActiveTurn;
  /** Hidden until acknowledged. */
  isStored: boolean;
  /** Queued before the host's last end; needs confirmation. */
  isWaiting: boolean;
  removing: Promise<boolean> | undefined;
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
  #messageCount: number;
  #hasSteps: boolean;
  #history: ModelMessage[] = [];
  #historyLength = 0;
  #record: StoredConversation;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(options: {
    readonly record: StoredConversation;
    readonly log: EventLog;
    readonly ids: OrderedIds;
    readonly approvals: Approvals;
    readonly questions: Questions;
    readonly idempotentSends: IdempotentSends;
    readonly history: readonly ModelMessage[];
    readonly messageCount: number;
    readonly hasSteps: boolean;
    readonly requests: RequestLedger;
    readonly stepSum: StepSum;
    readonly toolLists: ToolLists;
    readonly keptFiles: FileSnapshots;
    readonly contextTokens: number | undefined;
    readonly waiting: readonly ActiveTurn[];
  }) {
    this.#record = options.record;
    this.log = options.log;
    this.ids = options.ids;
    this.approvals = options.approvals;
    this.questions = options.questions;
    this.idempotentSends = options.idempotentSends;
    for (const message of options.history) this.#keep(message);
    this.#messageCount = options.messageCount;
    this.#hasSteps = options.hasSteps;
    this.requests = options.requests;
    this.stepSum = options.stepSum;
    this.toolLists = options.toolLists;
    this.keptFiles = options.keptFiles;
    this.contextSize = new ContextSize(options.contextTokens);
    for (const active of options.waiting) this.keepWaiting(active);
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
    return this.ids.nextStepId();
  }

  keepWaiting(active: ActiveTurn): void {
    this.queue.push({ active, isStored: true, isWaiting: true, removing: undefined });
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
