import type { ConversationId } from "@incipit/schema";
import * as z from "zod";
import { Approvals } from "../tools/approvals.ts";
import { readContextTokens } from "../conversation/context-size.ts";
import type { OrchestratorContext } from "../context/context.ts";
import { conversationUnknown } from "../failures/conversation-unknown.ts";
import { LoadedConversation } from "../conversation/conversation.ts";
import { EventLog } from "../events/event-log.ts";
import { readHistory } from "../store/history.ts";
import { IdempotentSends } from "../conversation/idempotent-sends.ts";
import { toModelMessage } from "../call/model-messages.ts";
import { OrderedIds } from "../store/ordered-ids.ts";
import { readPreviousStep } from "../records/previous-step.ts";
import { RequestLedger } from "../records/request-ledger.ts";
import { partHashes } from "../audit/step-audit.ts";
import { StepSum } from "../audit/stored-summary.ts";
import { ToolLists } from "../store/tool-list.ts";
import { inServiceWords } from "../failures/storage-failure.ts";
import { keys, storedConversationSchema } from "../store/stored.ts";
import { readWaiting } from "../turn/waiting-turns.ts";

/** Conversations that are kept in memory while nothing happens in them, and what they hold, in UTF-16 units. */
const maxIdle = 500;
const maxIdleLength = 64 * 1_048_576;

interface Entry {
  readonly loading: Promise<LoadedConversation>;
  /** Once it is read. */
  conversation: LoadedConversation | undefined;
}

interface LoadedOptions {
  /** Whether nothing comes any more in a conversation: nobody would tell the followers of one that is read. */
  readonly isOver: (id: string) => boolean;
  /** Whether somebody is at work in it: a second one in memory would work against the first. */
  readonly isHeld: (id: string) => boolean;
}

/** The conversations in memory, each of them once. */
export class LoadedConversations {
  readonly #context: OrchestratorContext;
  readonly #options: LoadedOptions;
  /** Least recently used first. */
  readonly #loaded = new Map<string, Entry>();
  /** Those that are being deleted. */
  readonly #hidden = new Set<string>();
  #isEvicting = false;

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
    this.#loaded.delete(id);
  }

  /** One that is in memory; `undefined` for any other, and for one that cannot be read. */
  async known(id: string): Promise<LoadedConversation | undefined> {
    return this.#loaded.get(id)?.loading.catch(() => undefined);
  }

  get ids(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  /** All that could be read. */
  async all(): Promise<readonly LoadedConversation[]> {
    const loaded = await Promise.allSettled(this.#loaded.values().map(({ loading }) => loading));
    return loaded.flatMap((entry) => (entry.status === "fulfilled" ? [entry.value] : []));
  }

  #newEntry(id: ConversationId): Entry {
    const entry: Entry = { loading: this.#read(id), conversation: undefined };
    entry.loading.then(
      (conversation) => (entry.conversation = conversation),
      () => {
        if (this.#loaded.get(id) === entry) this.#loaded.delete(id);
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
    let length = 0;
    for (const { conversation } of this.#loaded.values()) length += conversation?.length ?? 0;
    for (const [id, { conversation }] of this.#loaded) {
      if (this.#loaded.size <= maxIdle && length <= maxIdleLength) return;
      if (conversation?.isIdle !== true || this.#options.isHeld(id)) continue;
      length -= conversation.length;
      this.#loaded.delete(id);
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
      const hashMessages = (): ReturnType<typeof partHashes> =>
        partHashes({ tools: [], systemPrompt: [], messages: history }).slice(2);
      const { newestStepId, hasSteps, previousStep } = await readPreviousStep(storage, record, hashMessages);
      const log = new EventLog({ conversationId: id, storage, clock, lastSeq });
      if (this.#options.isOver(id)) log.close();
      const ids = new OrderedIds(clock);
      ids.follow(id);
      if (newestStepId !== undefined) ids.follow(newestStepId);
      return new LoadedConversation({
        record,
        log,
        ids,
        approvals: new Approvals({ conversationId: id, storage, clock, log }),
        idempotentSends: new IdempotentSends({ conversationId: id, storage }),
        history,
        messageCount: count,
        hasSteps,
        requests: new RequestLedger(this.#context, {
          conversationId: id,
          previousStep,
          hasRequests: newestStepId !== undefined,
        }),
        stepSum: new StepSum(storage, id),
        toolLists: new ToolLists(storage),
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
