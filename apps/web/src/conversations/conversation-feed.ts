import type { Conversation, Message, QueuedTurn, TurnEvent } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { isAway } from "../session/api.ts";
import { withEvent, type LiveTurn } from "./live-turn.ts";

/** One conversation as it is seen: what is stored, and the turn that runs or has just ended. */
export interface ConversationState {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  readonly live: LiveTurn | undefined;
  /** Turns that wait for those before them. */
  readonly queue: readonly QueuedTurn[];
  /** Whether the host cannot be reached at this moment. */
  readonly isAway: boolean;
}

export interface ConversationFeedOptions {
  readonly client: Client;
  readonly id: string;
  /** Called with what is new, at most once a frame. */
  readonly onChange: (state: ConversationState) => void;
  /** Absent: the browser's. */
  readonly nextFrame?: (work: () => void) => void;
  /** Resolves when it is worth trying again after a failure. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const messagePageSize = 200;
/** Events before the newest in which the beginning of a turn that runs is looked for. */
const eventsLookedBack = 5_000;
const firstWaitMs = 250;
const longestWaitMs = 5_000;

/**
 * Follows a conversation from what is stored of it on: what it shows is whole after a reload, a lost network and a restart of
 * the host, for it goes on from the newest event that it has.
 */
export class ConversationFeed {
  readonly #options: ConversationFeedOptions;
  readonly #ended = new AbortController();
  #state: ConversationState | undefined;
  #isFramed = false;
  /** The newest event when this was opened. */
  #loadedSeq = 0;
  readonly #fullPages: { readonly messages: readonly Message[]; readonly nextCursor: string }[] = [];

  constructor(options: ConversationFeedOptions) {
    this.#options = options;
  }

  /** Rejects when there is no such conversation, or nobody is signed in; resolves once it was closed. */
  async run(): Promise<void> {
    const { signal } = this.#ended;
    let afterSeq: number | undefined;
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        afterSeq ??= await this.#load();
        for await (const event of this.#options.client.followEvents(this.#options.id, { afterSeq, signal })) {
          waitMs = firstWaitMs;
          afterSeq = event.seq;
          await this.#take(event);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isAway(error)) throw error;
        this.#change({ isAway: true });
      }
      await (this.#options.wait ?? pause)(waitMs, signal);
      if (signal.aborted || this.#state === undefined) continue;
      // Whoever was away may find another title, another state, and approvals that are over.
      await this.#refresh().catch(() => undefined);
    }
  }

  close(): void {
    this.#ended.abort();
  }

  /** Takes what a call has answered, so that nobody waits for the next event to see it. */
  setConversation(conversation: Conversation): void {
    this.#change({ conversation });
  }

  /** As `setConversation`. */
  setQueue(queue: readonly QueuedTurn[]): void {
    this.#change({ queue });
  }

  /** Gives the number of the event behind which it goes on. */
  async #load(): Promise<number> {
    const { client, id } = this.#options;
    const { signal } = this.#ended;
    const { conversation } = await client.call(routes.getConversation, { params: { id }, signal });
    const messages = await this.#readMessages();
    const { queue } = await client.call(routes.getQueue, { params: { id }, signal });
    this.#state = { conversation, messages, live: undefined, queue, isAway: false };
    this.#show();
    this.#loadedSeq = conversation.lastSeq;
    // A turn without an answer runs, or has failed: only its events say why.
    const isOpen = conversation.status === "running" || messages.at(-1)?.role !== "assistant";
    return isOpen ? Math.max(0, conversation.lastSeq - eventsLookedBack) : conversation.lastSeq;
  }

  /** Reads what is new since it was last called; the page that was not full then is read again. */
  async #readMessages(): Promise<readonly Message[]> {
    const { client, id } = this.#options;
    for (;;) {
      const cursor = this.#fullPages.at(-1)?.nextCursor;
      const query = { limit: messagePageSize, ...(cursor === undefined ? {} : { cursor }) };
      const page = await client.call(routes.listMessages, { params: { id }, query, signal: this.#ended.signal });
      const { messages, nextCursor } = page;
      if (nextCursor === undefined) return [...this.#fullPages.flatMap((full) => full.messages), ...messages];
      this.#fullPages.push({ messages, nextCursor });
    }
  }

  async #refresh(): Promise<void> {
    const { client, id } = this.#options;
    const { signal } = this.#ended;
    const { conversation } = await client.call(routes.getConversation, { params: { id }, signal });
    const { queue } = await client.call(routes.getQueue, { params: { id }, signal });
    this.#change({ conversation, queue, isAway: false });
  }

  async #take(event: TurnEvent): Promise<void> {
    const state = this.#state;
    if (state === undefined) return;
    if (event.seq <= this.#loadedSeq) return this.#catchUp(state, event);
    this.#change({ live: withEvent(state.live, event), isAway: false });
    if (event.type === "turn-end" || event.type === "compaction-end") await this.#takeStored();
    else if (event.type === "turn-start" || event.type === "turn-queue" || event.type.startsWith("approval"))
      await this.#refresh();
  }

  /** What happened before this was opened: of a turn that has ended, the messages are known. */
  #catchUp(state: ConversationState, event: TurnEvent): void {
    const live =
      event.type === "turn-end" && event.status === "completed" ? undefined : withEvent(state.live, event);
    this.#state = { ...state, live };
    if (event.seq === this.#loadedSeq) this.#show();
  }

  /** A turn that has ended is what is stored of it; how it failed is in nothing but its end. */
  async #takeStored(): Promise<void> {
    const messages = await this.#readMessages();
    await this.#refresh();
    const live = this.#state?.live;
    const isShown = live?.end !== undefined && live.end.status !== "completed";
    this.#change({ messages, live: live?.end === undefined || isShown ? live : undefined });
  }

  #change(change: Partial<ConversationState>): void {
    if (this.#state === undefined) return;
    this.#state = { ...this.#state, ...change };
    this.#show();
  }

  #show(): void {
    if (this.#isFramed) return;
    this.#isFramed = true;
    (this.#options.nextFrame ?? requestAnimationFrame)(() => {
      this.#isFramed = false;
      if (this.#state !== undefined && !this.#ended.signal.aborted) this.#options.onChange(this.#state);
    });
  }
}

/** A browser that is back online does not wait for the rest of the time. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end, { once: true });
  });
}
