import type { Conversation, ConversationId } from "@incipit/schema";
import { readContextTokens } from "../conversation/context-size.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { conversationUnknown, withServiceErrors } from "../failures/service-errors.ts";
import { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { DeltaPace } from "../events/stored-deltas.ts";
import { readHistory } from "../store/stored-message.ts";
import { toModelMessage } from "../call/model-messages.ts";
import { readPreviousStep } from "../records/previous-step.ts";
import { PartHashes } from "../audit/step-audit.ts";
import { keys, storedConversationSchema } from "../store/stored.ts";
import { readWaiting } from "../turn/waiting-turns.ts";
import * as z from "zod";

const maxIdle = 500;
const maxIdleLength = 64 * 1_048_576;
const maxRecent = { inAll: 32_000, fewest: 32, most: 1_000 };
const lookedAtOnce = 32;

interface Entry {
  readonly loading: Promise<LoadedConversation>;
  conversation: LoadedConversation | undefined;
  length: number;
}

interface LoadedOptions {
  /** Followers would receive nothing. */
  readonly isOver: (id: string) => boolean;
  /** A second instance would conflict with the first. */
  readonly isBusy: (id: string) => boolean;
}

export class LoadedConversations {
  readonly #context: OrchestratorContext;
  readonly #options: LoadedOptions;
  readonly #pace = new DeltaPace();
  readonly #loaded = new Map<string, Entry>();
  readonly #hidden = new Set<string>();
  #isEvicting = false;
  /** Consecutive conversations found in use; once all are, each load checks only a few. */
  #busyInARow = 0;
  #length = 0;
  readonly #changing = new Set<string>();

  constructor(context: OrchestratorContext, options: LoadedOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** @throws {ServiceError} `CONVERSATION_UNKNOWN`, or the error of reading it. */
  load(id: ConversationId): Promise<LoadedConversation> {
    if (this.#hidden.has(id)) return Promise.reject(conversationUnknown(id));
    const entry = this.#loaded.get(id) ?? this.#newEntry(id);
    this.#loaded.delete(id);
    this.#loaded.set(id, entry);
    this.#changing.add(id);
    this.#evictSoon();
    return entry.loading;
  }

  hide(id: string): void {
    this.#hidden.add(id);
  }

  show(id: string): void {
    this.#hidden.delete(id);
  }

  drop(id: string): void {
    this.#length -= this.#loaded.get(id)?.length ?? 0;
    this.#loaded.delete(id);
    this.#changing.delete(id);
  }

  async known(id: string): Promise<LoadedConversation | undefined> {
    return this.#loaded.get(id)?.loading.catch(() => undefined);
  }

  views(): readonly Conversation[] {
    return [...this.#loaded.values()].flatMap(({ conversation }) =>
      conversation === undefined ? [] : [conversation.view],
    );
  }

  get ids(): readonly string[] {
    return [...this.#loaded.keys()];
  }

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

  /** Deferred, so that the caller of `load` has started its work and the conversation is not idle. */
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
        // In use: moved to the end, so that others are checked first.
        this.#loaded.delete(id);
        this.#loaded.set(id, entry);
        this.#busyInARow += 1;
      }
    }
    if (this.#busyInARow < this.#loaded.size) this.#evictSoon();
  }

  /** Only those that may have changed, so that the cost is independent of the total. */
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
    const { storage } = this.#context;
    return withServiceErrors(async () => {
      const record = await storage.get(keys.conversation(id), storedConversationSchema);
      if (record === undefined) throw conversationUnknown(id);
      const lastSeq = await readLastSeq(this.#context, id);
      const { messages, count } = await readHistory(storage, id, record.epoch);
      const history = messages.map(toModelMessage);
      const hashes = new PartHashes();
      const read = {
        record,
        lastSeq,
        history,
        messageCount: count,
        hashes,
        ...(await readPreviousStep(storage, record, () => hashes.ofMessages(history))),
        contextTokens: await readContextTokens(storage, record),
        waiting: await readWaiting(this.#context, id),
      };
      const events = { pace: this.#pace, maxRecent: () => this.#maxRecent };
      const conversation = new LoadedConversation(this.#context, read, events);
      if (this.#options.isOver(id)) conversation.log.close();
      return conversation;
    });
  }
}

export async function readLastSeq({ storage }: OrchestratorContext, id: string): Promise<number> {
  // Derived from the key: a damaged event must neither hide its conversation nor have its number reused.
  const prefix = keys.events(id);
  const newest = await storage.list({ prefix, reverse: true, limit: 1 }, z.unknown());
  return newest[0] === undefined ? 0 : Number(newest[0].key.slice(prefix.length));
}
