import type { Conversation, ConversationId } from "@incipit/schema";
import * as z from "zod";
import { Approvals } from "../tools/approvals.ts";
import { Questions } from "../tools/questions.ts";
import { readContextTokens } from "../conversation/context-size.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { conversationUnknown } from "../failures/conversation-unknown.ts";
import { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { DeltaPace } from "../events/delta-pace.ts";
import { EventLog } from "../events/event-log.ts";
import { readHistory } from "../store/read-history.ts";
import { IdempotentSends } from "../conversation/idempotent-sends.ts";
import { toModelMessage } from "../call/model-messages.ts";
import { OrderedIds } from "../store/ordered-ids.ts";
import { readPreviousStep } from "../records/previous-step.ts";
import { RequestLedger } from "../records/request-ledger.ts";
import { hashMessages } from "../audit/step-audit.ts";
import { StepSum } from "../audit/step-sum.ts";
import { KeptFiles } from "../tools/kept-files.ts";
import { ToolLists } from "../store/tool-list.ts";
import { inServiceWords } from "../failures/storage-failure.ts";
import { keys, storedConversationSchema } from "../store/stored.ts";
import { readWaiting } from "../turn/waiting-turns.ts";

/** Conversations that are kept in memory while nothing happens in them, and what they hold, in UTF-16 units. */
const maxIdle = 500;
const maxIdleLength = 64 * 1_048_576;
/** Newest events of a conversation that are kept in memory: all have so many in all, and each at least the fewest, at most the most. */
const maxRecent = { inAll: 32_000, fewest: 32, most: 1_000 };
/** Conversations that one look at what may go out of memory looks at. */
const lookedAtOnce = 32;

interface Entry {
  readonly loading: Promise<LoadedConversation>;
  /** Once it is read. */
  conversation: LoadedConversation | undefined;
  /** What of it is in the sum of all. */
  length: number;
}

interface LoadedOptions {
  /** Whether nothing comes any more in a conversation: nobody would tell the followers of one that is read. */
  readonly isOver: (id: string) => boolean;
  /** Whether somebody is at work in it: a second one in memory would work against the first. */
  readonly isBusy: (id: string) => boolean;
}

/** The conversations in memory, each of them once. */
export class LoadedConversations {
  readonly #context: OrchestratorContext;
  readonly #options: LoadedOptions;
  readonly #pace = new DeltaPace();
  /** Least recently used first. */
  readonly #loaded = new Map<string, Entry>();
  /** Those that are being deleted. */
  readonly #hidden = new Set<string>();
  #isEvicting = false;
  /** Conversations in use that were looked at one after the other; once all are, each load looks at a few. */
  #busyInARow = 0;
  /** What they hold, as it was measured last. */
  #length = 0;
  /** Those that may hold more, or less, than that. */
  readonly #changing = new Set<string>();

  constructor(context: OrchestratorContext, options: LoadedOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** @throws {ServiceError} `CONVERSATION_UNKNOWN`, or why it cannot be read. */
  load(id: ConversationId): Promise<LoadedConversation> {
    if (this.#hidden.has(id)) return Promise.reject(conversationUnknown(id));
    const entry = this.#loaded.get(id) ?? this.#newEntry(id);
    this.#loaded.delete(id);
    this.#loaded.set(id, entry);
    this.#changing.add(id);
    this.#evictSoon();
    return entry.loading;
  }

  /** From here on it is unknown to whoever loads it. */
  hide(id: string): void {
    this.#hidden.add(id);
  }

  /** Ends `hide`. */
  show(id: string): void {
    this.#hidden.delete(id);
  }

  /** It is in memory no longer. */
  drop(id: string): void {
    this.#length -= this.#loaded.get(id)?.length ?? 0;
    this.#loaded.delete(id);
    this.#changing.delete(id);
  }

  /** One that is in memory; `undefined` for any other, and for one that cannot be read. */
  async known(id: string): Promise<LoadedConversation | undefined> {
    return this.#loaded.get(id)?.loading.catch(() => undefined);
  }

  /** All that were read, as others see them at this moment. */
  views(): readonly Conversation[] {
    return [...this.#loaded.values()].flatMap(({ conversation }) =>
      conversation === undefined ? [] : [conversation.view],
    );
  }

  get ids(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  /** All that could be read. */
  async all(): Promise<readonly LoadedConversation[]> {
    const loaded = await Promise.allSettled(this.#loaded.values().map(({ loading }) => loading));
    return loaded.flatMap((entry) => (entry.status === "fulfilled" ? [entry.value] : []));
  }

  get #maxRecent(): number {
    const share = Math.floor(maxRecent.inAll / this.#loaded.size);
    return Math.min(maxRecent.most, Math.max(maxRecent.fewest, share));
  }

  #newEntry(id: ConversationId): Entry {
    const entry: Entry = { loading: this.#read(id), conversation: undefined, length: 0 };
    entry.loading.then(
      (conversation) => (entry.conversation = conversation),
      () => {
        if (this.#loaded.get(id) === entry) this.drop(id);
      },
    );
    return entry;
  }

  /** Behind all that waits for nothing: whoever was given one has begun with it by then, and it is not idle. */
  #evictSoon(): void {
    if (this.#isEvicting) return;
    this.#isEvicting = true;
    setImmediate(() => {
      this.#isEvicting = false;
      this.#evict();
    });
  }

  #evict(): void {
    this.#measure();
    let looks = 0;
    for (const [id, entry] of this.#loaded) {
      if (this.#loaded.size <= maxIdle && this.#length <= maxIdleLength) return;
      if (looks === lookedAtOnce) break;
      looks += 1;
      if (entry.conversation?.isIdle === true && !this.#options.isBusy(id)) {
        this.drop(id);
        this.#busyInARow = 0;
      } else {
        // It is in use: others are looked at before it next time.
        this.#loaded.delete(id);
        this.#loaded.set(id, entry);
        this.#busyInARow += 1;
      }
    }
    if (this.#busyInARow < this.#loaded.size) this.#evictSoon();
  }

  /** Only those are measured in which something may have happened since, so that it costs the same whatever is in memory. */
  #measure(): void {
    for (const id of this.#changing) {
      const entry = this.#loaded.get(id);
      const conversation = entry?.conversation;
      if (entry === undefined || conversation === undefined) continue;
      const { length } = conversation;
      this.#length += length - entry.length;
      entry.length = length;
      if (conversation.work.isIdle && conversation.queue.length === 0) this.#changing.delete(id);
    }
  }

  async #read(id: ConversationId): Promise<LoadedConversation> {
    const { storage, clock } = this.#context;
    return inServiceWords(async () => {
      const record = await storage.get(keys.conversation(id), storedConversationSchema);
      if (record === undefined) throw conversationUnknown(id);
      const lastSeq = await readLastSeq(this.#context, id);
      const { messages, count } = await readHistory(storage, id, record.epoch);
      const history = messages.map(toModelMessage);
      const { newestStepId, hasSteps, previousStep, messagesHash } = await readPreviousStep(
        storage,
        record,
        () => hashMessages(history).parts,
      );
      const log = new EventLog({
        conversationId: id,
        storage,
        clock,
        lastSeq,
        pace: this.#pace,
        maxRecent: () => this.#maxRecent,
      });
      if (this.#options.isOver(id)) log.close();
      const ids = new OrderedIds(clock);
      ids.follow(id);
      if (newestStepId !== undefined) ids.follow(newestStepId);
      return new LoadedConversation({
        record,
        log,
        ids,
        approvals: new Approvals({ conversationId: id, storage, clock, log }),
        questions: new Questions({ conversationId: id, storage, clock, log }),
        idempotentSends: new IdempotentSends({ conversationId: id, storage }),
        history,
        messageCount: count,
        hasSteps,
        requests: new RequestLedger(this.#context, {
          conversationId: id,
          previousStep,
          messagesHash,
          hasRequests: newestStepId !== undefined,
        }),
        stepSum: new StepSum(storage, id),
        toolLists: new ToolLists(storage),
        keptFiles: new KeptFiles(this.#context, { conversationId: id, ids }),
        contextTokens: await readContextTokens(storage, record),
        waiting: await readWaiting(this.#context, id),
      });
    });
  }
}

/** The number of the newest event of a conversation; 0 before the first. */
export async function readLastSeq({ storage }: OrchestratorContext, id: string): Promise<number> {
  // The key tells it: a damaged event must not keep its conversation from being listed, or its number be given again.
  const prefix = keys.events(id);
  const newest = await storage.list({ prefix, reverse: true, limit: 1 }, z.unknown());
  return newest[0] === undefined ? 0 : Number(newest[0].key.slice(prefix.length));
}
