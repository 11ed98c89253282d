import type { Conversation, FilePart, Message, QueuedTurn, TurnEvent } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { isAway } from "../session/api.ts";
import { withoutFile } from "./removed-file.ts";
import { withEvent, type LiveTurn } from "./live-turn.ts";

/** Stored messages, and the turn that runs or has just ended. */
export interface ConversationState {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly live: LiveTurn | undefined;
  /** Sequence number of the newest event shown. */
  readonly seenSeq: number;
  readonly queue: readonly QueuedTurn[];
  readonly isAway: boolean;
}

export interface ConversationFeedOptions {
  readonly client: Client;
  readonly id: string;
  /** At most once per frame. */
  readonly onChange: (state: ConversationState) => void;
  readonly nextFrame?: (work: () => void) => void;
  /** Resolves when a retry makes sense. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const messagePageSize = 100;
const newMessagePageSize = 20;
/** Events first searched for the start of a running turn. */
const eventsLookedBack = 5_000;
const lookedBackFurther = 8;
const firstWaitMs = 250;
const longestWaitMs = 5_000;

/** Resumes after the newest event received: complete after a reload, a network failure and a restart of the host. */
export class ConversationFeed {
  readonly #options: ConversationFeedOptions;
  readonly #ended = new AbortController();
  #state: ConversationState | undefined;
  #isFramed = false;
  #loadedSeq = 0;
  #olderCursor: string | undefined;

  constructor(options: ConversationFeedOptions) {
    this.#options = options;
  }

  /** Resolves after `close()`; rejects if the conversation does not exist or the user is signed out. */
  async run(): Promise<void> {
    const { signal } = this.#ended;
    let afterSeq: number | undefined;
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        if (afterSeq === undefined) afterSeq = await this.#load();
        // Title, state and approvals may have changed while the host was unreachable.
        else await this.#refresh().catch(unlessAway);
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
    }
  }

  close(): void {
    this.#ended.abort();
  }

  async readOlder(): Promise<void> {
    if (this.#olderCursor === undefined) return;
    const { messages, nextCursor } = await this.#readPage(messagePageSize, this.#olderCursor);
    this.#olderCursor = nextCursor;
    const known = this.#state?.messages ?? [];
    this.#change({ messages: [...messages, ...known], hasOlder: nextCursor !== undefined });
  }

  /** Does not wait for the event. */
  setConversation(conversation: Conversation): void {
    this.#change({ conversation });
  }

  setQueue(queue: readonly QueuedTurn[]): void {
    this.#change({ queue });
  }

  removeFile(file: FilePart): void {
    const messages = withoutFile(this.#state?.messages ?? [], file, new Date().toISOString());
    this.#change({ messages });
  }

  async #load(): Promise<number> {
    const { client, id } = this.#options;
    const { signal } = this.#ended;
    const { conversation } = await client.call(routes.getConversation, { params: { id }, signal });
    const { messages, nextCursor } = await this.#readPage(messagePageSize);
    this.#olderCursor = nextCursor;
    const { queue } = await client.call(routes.getQueue, { params: { id }, signal });
    const hasOlder = nextCursor !== undefined;
    this.#state = {
      conversation,
      messages,
      hasOlder,
      live: undefined,
      seenSeq: conversation.lastSeq,
      queue,
      isAway: false,
    };
    this.#show();
    this.#loadedSeq = conversation.lastSeq;
    // A turn without an answer and an end is running, or failed in an earlier version: only its events tell.
    const newest = messages.at(-1);
    const isOpen = newest?.role !== "assistant" && newest?.turnEnd === undefined;
    return isOpen || conversation.status === "running"
      ? this.#beginningOfTurn(messages.at(-1)?.turnId)
      : conversation.lastSeq;
  }

  async #beginningOfTurn(turnId: string | undefined): Promise<number> {
    const { client, id } = this.#options;
    const { signal } = this.#ended;
    for (let back = eventsLookedBack; back < this.#loadedSeq; back *= lookedBackFurther) {
      const afterSeq = this.#loadedSeq - back;
      for await (const event of client.followEvents(id, { afterSeq, signal })) {
        if (event.type === "turn-queue") continue; // Belongs to the next turn.
        if (event.turnId !== turnId || event.type === "turn-start") return afterSeq;
        break;
      }
    }
    return 0;
  }

  async #readPage(
    limit: number,
    cursor?: string,
  ): Promise<{ readonly messages: readonly Message[]; readonly nextCursor: string | undefined }> {
    const { client, id } = this.#options;
    const query = { limit, order: "newest", ...(cursor === undefined ? {} : { cursor }) } as const;
    const page = await client.call(routes.listMessages, { params: { id }, query, signal: this.#ended.signal });
    return { messages: page.messages.toReversed(), nextCursor: page.nextCursor };
  }

  /** Rereads the newest known message, because its turn may have ended. */
  async #readNew(): Promise<readonly Message[]> {
    const newest = this.#state?.messages.at(-1)?.id;
    const pages: (readonly Message[])[] = [];
    let cursor: string | undefined;
    do {
      const { messages, nextCursor } = await this.#readPage(newMessagePageSize, cursor);
      const place = messages.findIndex(({ id }) => id === newest);
      pages.push(messages.slice(Math.max(place, 0)));
      if (place !== -1) break;
      cursor = nextCursor;
    } while (cursor !== undefined);
    // The list may have grown at its start.
    const known = (this.#state?.messages ?? []).filter(({ id }) => id !== newest);
    return [...known, ...pages.toReversed().flat()];
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
    this.#change({ live: withEvent(state.live, event), seenSeq: event.seq, isAway: false });
    if (event.type === "turn-end" || event.type === "compaction-end") await this.#takeStored();
    else if (
      event.type === "turn-start" ||
      event.type === "turn-queue" ||
      /^(?:approval|question)-/.test(event.type)
    )
      await this.#refresh();
  }

  /** Messages of ended turns are already loaded. */
  #catchUp(state: ConversationState, event: TurnEvent): void {
    const live =
      event.type === "turn-end" && event.status === "completed" ? undefined : withEvent(state.live, event);
    this.#state = { ...state, live };
    if (event.seq === this.#loadedSeq) this.#show();
  }

  /** An incomplete turn stays visible until the next one. */
  async #takeStored(): Promise<void> {
    const messages = await this.#readNew();
    this.#change({ messages });
    await this.#refresh();
    const live = this.#state?.live;
    const isShown = live?.end !== undefined && live.end.status !== "completed";
    this.#change({ live: live?.end === undefined || isShown ? live : undefined });
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

/** Also ends when the browser comes back online. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}

/** The event stream reports other errors too. @throws if the host is unreachable. */
function unlessAway(error: unknown): void {
  if (isAway(error)) throw error;
}
