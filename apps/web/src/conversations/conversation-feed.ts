import type { Conversation, FilePart, Message, QueuedTurn, TurnEvent } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import { isAway } from "../session/api.ts";
import { withoutFile } from "./removed-file.ts";
import { withEvent, type LiveTurn } from "./live-turn.ts";

/** One conversation as it is seen: what is stored, and the turn that runs or has just ended. */
export interface ConversationState {
  readonly conversation: Conversation;
  /** The newest, and older ones as far as they were asked for. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly live: LiveTurn | undefined;
  /** The number of the newest event that is shown. */
  readonly seenSeq: number;
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

const messagePageSize = 100;
/** What a turn has stored is seldom more. */
const newMessagePageSize = 20;
/** Events before the newest in which the beginning of a turn that runs is looked for at first. */
const eventsLookedBack = 5_000;
const lookedBackFurther = 8;
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
  /** Where the next page of older messages begins. */
  #olderCursor: string | undefined;

  constructor(options: ConversationFeedOptions) {
    this.#options = options;
  }

  /** Rejects when there is no such conversation, or nobody is signed in; resolves once it was closed. */
  async run(): Promise<void> {
    const { signal } = this.#ended;
    let afterSeq: number | undefined;
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        if (afterSeq === undefined) afterSeq = await this.#load();
        // Whoever was away may find another title, another state, and approvals that are over.
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

  /** Reads the page of messages in front of those that are there. */
  async readOlder(): Promise<void> {
    if (this.#olderCursor === undefined) return;
    const { messages, nextCursor } = await this.#readPage(messagePageSize, this.#olderCursor);
    this.#olderCursor = nextCursor;
    const known = this.#state?.messages ?? [];
    this.#change({ messages: [...messages, ...known], hasOlder: nextCursor !== undefined });
  }

  /** Takes what a call has answered, so that nobody waits for the next event to see it. */
  setConversation(conversation: Conversation): void {
    this.#change({ conversation });
  }

  /** As `setConversation`. */
  setQueue(queue: readonly QueuedTurn[]): void {
    this.#change({ queue });
  }

  /** Marks a file that a call has removed, in all messages that are there. */
  removeFile(file: FilePart): void {
    const messages = withoutFile(this.#state?.messages ?? [], file, new Date().toISOString());
    this.#change({ messages });
  }

  /** Gives the number of the event behind which it goes on. */
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
    // A turn without an answer and without an end runs, or an earlier version let it fail: only its events say why.
    const newest = messages.at(-1);
    const isOpen = newest?.role !== "assistant" && newest?.turnEnd === undefined;
    return isOpen || conversation.status === "running"
      ? this.#beginningOfTurn(messages.at(-1)?.turnId)
      : conversation.lastSeq;
  }

  /** A number in front of the events of the turn that was asked for last. */
  async #beginningOfTurn(turnId: string | undefined): Promise<number> {
    const { client, id } = this.#options;
    const { signal } = this.#ended;
    for (let back = eventsLookedBack; back < this.#loadedSeq; back *= lookedBackFurther) {
      const afterSeq = this.#loadedSeq - back;
      for await (const event of client.followEvents(id, { afterSeq, signal })) {
        if (event.type === "turn-queue") continue; // Of a turn that waits for that one.
        if (event.turnId !== turnId || event.type === "turn-start") return afterSeq;
        break;
      }
    }
    return 0;
  }

  /** Oldest first. */
  async #readPage(
    limit: number,
    cursor?: string,
  ): Promise<{ readonly messages: readonly Message[]; readonly nextCursor: string | undefined }> {
    const { client, id } = this.#options;
    const query = { limit, order: "newest", ...(cursor === undefined ? {} : { cursor }) } as const;
    const page = await client.call(routes.listMessages, { params: { id }, query, signal: this.#ended.signal });
    return { messages: page.messages.toReversed(), nextCursor: page.nextCursor };
  }

  /** Reads what is new, from the newest back to one that is known: that one is read anew, for its turn may have ended. */
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
    // What was read meanwhile stands in front of it.
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

  /** What happened before this was opened: of a turn that has ended, the messages are known. */
  #catchUp(state: ConversationState, event: TurnEvent): void {
    const live =
      event.type === "turn-end" && event.status === "completed" ? undefined : withEvent(state.live, event);
    this.#state = { ...state, live };
    if (event.seq === this.#loadedSeq) this.#show();
  }

  /** A turn that has ended is what is stored of it; one that was not completed stays as it was seen, until the next begins. */
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

/** A browser that is back online does not wait for the rest of the time. */
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

/** What else went wrong, the events say, too. @throws the error of a host that cannot be reached. */
function unlessAway(error: unknown): void {
  if (isAway(error)) throw error;
}
