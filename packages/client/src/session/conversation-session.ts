import type {
  Conversation,
  FilePart,
  Message,
  QueuedTurn,
  TurnBody,
  TurnEvent,
  TurnId,
  UpdateConversationRequest,
} from "@incipit/schema";
import type { EndpointAnswer, EndpointClient, EndpointInput } from "@incipit/transport-contract";
import { ApiClientError } from "@incipit/transport-contract/http";
import { pause } from "../retry.ts";
import { isUnreachable } from "./is-unreachable.ts";
import { withEvent, type LiveTurn } from "./live-turn.ts";
import { requestsAfter } from "./open-requests.ts";
import { withoutFile } from "./removed-file.ts";
import { sendMessage, type SendOptions } from "./send-message.ts";

export type ApprovalAnswer = EndpointInput<"POST /conversations/:id/approvals/:approvalId">["body"];
export type QuestionAnswer = EndpointInput<"POST /conversations/:id/questions/:questionId">["body"];

type Page = EndpointAnswer<"GET /conversations/:id/messages">;

/** Immutable snapshot of a session. */
export interface SessionState {
  /** Its approvals and questions follow the events; the rest is read again when a turn begins or ends. */
  readonly conversation: Conversation;
  /** Stored messages, oldest first. Those of `live` are included once stored. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  /** The turn that runs or has just ended. */
  readonly live: LiveTurn | undefined;
  /** Number of the newest event. */
  readonly seenSeq: number;
  readonly queue: readonly QueuedTurn[];
  readonly isAway: boolean;
}

export interface SessionOptions {
  readonly client: EndpointClient;
  readonly id: string;
  /** A conversation that was just created, which needs no reading. */
  readonly created?: Conversation;
  /** Messages of a page. */
  readonly pageSize?: number;
  /** `false` for a view that prints events: messages are read once, and `live` is not maintained. */
  readonly keepsMessages?: boolean;
  /** Called for each event of the running turn and each later one, exactly once. The next event waits for it. */
  readonly onEvent?: (event: TurnEvent) => Promise<void> | void;
  /** Called when the state could not be read after an event. By default, `follow()` rejects. */
  readonly onProblem?: (error: unknown) => void;
}

const newMessagePageSize = 20;
/** Maximum number of reads until no event arrives in between; then an inconsistent result is accepted. */
const maxReads = 5;
/** Events first searched for the start of a running turn. */
const eventsLookedBack = 5_000;
const lookedBackFurther = 8;
const firstWaitMs = 250;
const longestWaitMs = 5_000;

/**
 * A conversation as a front end shows it: a state with its changes, and the actions of a user.
 *
 * - `follow()` resumes after the newest event: complete after a lost connection and a restart of the host.
 * - Listeners get each state after `onEvent` for its event.
 * - It retries by itself: give it a client that does not (`retry: { giveUpAfterMs: 0 }`).
 */
export class ConversationSession {
  readonly #options: SessionOptions;
  readonly #closed = new AbortController();
  readonly #listeners = new Set<(state: SessionState) => void>();
  #state: SessionState | undefined;
  #loadedSeq = 0;
  #olderCursor: string | undefined;
  #openTurnId: TurnId | undefined;
  #hasOpenTurnBegun = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    if (options.created !== undefined) this.#begin({ conversation: options.created, messages: [] }, []);
  }

  /** `undefined` before `open()`, unless the conversation was just created. */
  get state(): SessionState | undefined {
    return this.#state;
  }

  /** Ran when the session was opened: `follow()` reports it from its start. Its messages may be in the state. */
  get openTurnId(): TurnId | undefined {
    return this.#openTurnId;
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the state. `follow()` does so too, with retries. @throws {ApiClientError} */
  async open(): Promise<SessionState> {
    const state = this.#begin(await this.#read(), await this.#readQueue());
    this.#notify();
    return state;
  }

  /** Resolves after `close()`. @throws {ApiClientError} if the host refuses, such as for a deleted conversation. */
  async follow(): Promise<void> {
    const { client, id } = this.#options;
    const { signal } = this.#closed;
    let afterSeq: number | undefined;
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        if (afterSeq === undefined) afterSeq = await this.#beginning(this.#state ?? (await this.open()));
        // Title, state and approvals may have changed while the host was unreachable.
        else await this.#reread().catch(unlessUnreachable);
        for await (const event of client.followEvents(id, { afterSeq, signal })) {
          waitMs = firstWaitMs;
          afterSeq = event.seq;
          await this.#take(event);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!isUnreachable(error)) throw error;
        this.#change({ isAway: true });
      }
      await pause(waitMs, signal);
    }
  }

  /** Running turns continue. */
  close(): void {
    this.#closed.abort();
  }

  async readOlder(): Promise<void> {
    if (this.#olderCursor === undefined) return;
    const { messages, nextCursor } = await this.#readPage(this.#pageSize, this.#olderCursor);
    this.#olderCursor = nextCursor;
    const known = this.#state?.messages ?? [];
    this.#change({ messages: [...messages, ...known], hasOlder: nextCursor !== undefined });
  }

  /** Resolves with the turn's id once the host has the message, which it queues behind a running turn. */
  send(body: TurnBody, options?: SendOptions): Promise<TurnId | undefined> {
    const { client, id } = this.#options;
    return sendMessage(client, { id, body, ...options });
  }

  async stop(): Promise<void> {
    const { client, id } = this.#options;
    await client.call("POST /conversations/:id/stop", { params: { id } });
  }

  /** Ignored if the request has ended. */
  async answerApproval(approvalId: string, body: ApprovalAnswer): Promise<void> {
    const { client, id } = this.#options;
    const answered = client.call("POST /conversations/:id/approvals/:approvalId", {
      params: { id, approvalId },
      body,
    });
    await answered.catch(unlessCode("APPROVAL_ENDED"));
  }

  /** Ignored if the question has ended. @throws {ApiClientError} `ANSWER_INVALID`; the question stays open. */
  async answerQuestion(questionId: string, body: QuestionAnswer): Promise<void> {
    const { client, id } = this.#options;
    const answered = client.call("POST /conversations/:id/questions/:questionId", {
      params: { id, questionId },
      body,
    });
    await answered.catch(unlessCode("QUESTION_ENDED"));
  }

  /** Removes a message from the queue. */
  async takeBack(turnId: string): Promise<void> {
    const { client, id } = this.#options;
    const { queue } = await client.call("DELETE /conversations/:id/queue/:turnId", { params: { id, turnId } });
    this.#change({ queue });
  }

  /** Runs the messages that were queued when the host ended. Resolves with their number. */
  async resumeQueue(): Promise<number> {
    const { client, id } = this.#options;
    return (await client.call("POST /conversations/:id/resume", { params: { id } })).resumed;
  }

  async update(body: UpdateConversationRequest): Promise<void> {
    const { client, id } = this.#options;
    const { conversation } = await client.call("PATCH /conversations/:id", { params: { id }, body });
    this.setConversation(conversation);
  }

  /** For a change that another call has made. */
  setConversation(conversation: Conversation): void {
    this.#change({ conversation: this.#withKnownRequests(conversation) });
  }

  /** For a file that another call has removed. */
  removeFile(file: FilePart): void {
    this.#change({ messages: withoutFile(this.#state?.messages ?? [], file, new Date().toISOString()) });
  }

  #begin(
    { conversation, messages, nextCursor }: { readonly conversation: Conversation } & Page,
    queue: readonly QueuedTurn[],
  ): SessionState {
    const { lastSeq } = conversation;
    this.#loadedSeq = lastSeq;
    this.#olderCursor = nextCursor;
    this.#openTurnId = isRunning(conversation) ? messages.at(-1)?.turnId : undefined;
    const hasOlder = nextCursor !== undefined;
    this.#state = { conversation, messages, hasOlder, live: undefined, seenSeq: lastSeq, queue, isAway: false };
    return this.#state;
  }

  get #keepsMessages(): boolean {
    return this.#options.keepsMessages ?? true;
  }

  get #pageSize(): number {
    return this.#options.pageSize ?? 100;
  }

  /** Consistent: the messages include no event after `lastSeq`. */
  async #read(): Promise<{ readonly conversation: Conversation } & Page> {
    let conversation = await this.#readConversation();
    for (let reads = 1; ; reads += 1) {
      const page = await this.#readPage(this.#pageSize);
      if (isRunning(conversation)) return { conversation, ...page };
      const after = await this.#readConversation();
      if (after.lastSeq === conversation.lastSeq || reads >= maxReads) return { conversation, ...page };
      conversation = after;
    }
  }

  async #readConversation(): Promise<Conversation> {
    const { client, id } = this.#options;
    const call = { params: { id }, signal: this.#closed.signal };
    return (await client.call("GET /conversations/:id", call)).conversation;
  }

  async #readQueue(): Promise<readonly QueuedTurn[]> {
    const { client, id } = this.#options;
    const call = { params: { id }, signal: this.#closed.signal };
    return (await client.call("GET /conversations/:id/queue", call)).queue;
  }

  async #readPage(limit: number, cursor?: string): Promise<Page> {
    const { client, id } = this.#options;
    const query = { limit, order: "newest", ...(cursor === undefined ? {} : { cursor }) } as const;
    const call = { params: { id }, query, signal: this.#closed.signal };
    const { messages, ...next } = await client.call("GET /conversations/:id/messages", call);
    return { messages: messages.toReversed(), ...next };
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

  /** Number after which to follow: before the start of a running turn. */
  async #beginning({ conversation }: SessionState): Promise<number> {
    const { lastSeq } = conversation;
    const turnId = this.#openTurnId;
    if (!isRunning(conversation)) return lastSeq;
    const { client, id } = this.#options;
    const { signal } = this.#closed;
    for (let back = eventsLookedBack; back < lastSeq; back *= lookedBackFurther) {
      const afterSeq = lastSeq - back;
      for await (const event of client.followEvents(id, { afterSeq, signal })) {
        if (event.type === "turn-queue") continue; // Belongs to the next turn.
        if (event.turnId !== turnId || event.type === "turn-start") return afterSeq;
        break;
      }
    }
    return 0;
  }

  async #refresh(): Promise<void> {
    const conversation = await this.#readConversation();
    const queue = await this.#readQueue();
    this.#change({ conversation: this.#withKnownRequests(conversation), queue, isAway: false });
  }

  /** Requests follow the events: an answer may be older or newer than the last one. */
  #withKnownRequests(conversation: Conversation): Conversation {
    const state = this.#state;
    if (state === undefined || conversation.lastSeq === state.seenSeq) return conversation;
    const { approvals, questions } = state.conversation;
    return { ...conversation, approvals, questions };
  }

  async #take(event: TurnEvent): Promise<void> {
    const { onEvent, onProblem } = this.#options;
    if (this.#isBeforeOpenTurn(event)) return;
    if (event.seq <= this.#loadedSeq) return this.#replay(event);
    this.#assign((state) => ({
      ...state,
      conversation: { ...state.conversation, ...requestsAfter(state.conversation, event) },
      live: this.#liveAfter(state, event),
      seenSeq: event.seq,
      isAway: false,
    }));
    await onEvent?.(event);
    this.#notify();
    try {
      if (event.type === "turn-end" || event.type === "compaction-end") await this.#readEnded();
      else if (/^(?:turn-start|turn-queue|(?:approval|question)-.*)$/.test(event.type)) await this.#refresh();
    } catch (error) {
      if (onProblem === undefined || isUnreachable(error) || this.#closed.signal.aborted) throw error;
      onProblem(error);
    }
  }

  /** The messages of earlier turns are already there. */
  #isBeforeOpenTurn(event: TurnEvent): boolean {
    if (this.#hasOpenTurnBegun || this.#openTurnId === undefined) return false;
    // A queued turn has this event within the turn before it.
    this.#hasOpenTurnBegun = event.turnId === this.#openTurnId && event.type !== "turn-queue";
    return !this.#hasOpenTurnBegun;
  }

  /** An event from before `open()`. */
  async #replay(event: TurnEvent): Promise<void> {
    const hasCompleted = event.type === "turn-end" && event.status === "completed";
    this.#assign((state) => ({ ...state, live: hasCompleted ? undefined : this.#liveAfter(state, event) }));
    await this.#options.onEvent?.(event);
    if (event.seq === this.#loadedSeq) this.#notify();
  }

  #liveAfter({ live }: SessionState, event: TurnEvent): LiveTurn | undefined {
    return this.#keepsMessages ? withEvent(live, event) : undefined;
  }

  /** After the host was away, which may have been while the end of a turn was handled. */
  #reread(): Promise<void> {
    return this.#state?.live?.end === undefined ? this.#refresh() : this.#readEnded();
  }

  /** An incomplete turn stays visible until the next one. */
  async #readEnded(): Promise<void> {
    if (this.#keepsMessages) this.#change({ messages: await this.#readNew() });
    await this.#refresh();
    const end = this.#state?.live?.end;
    if (end?.status === "completed") this.#change({ live: undefined });
  }

  #change(change: Partial<SessionState>): void {
    this.#assign((state) => ({ ...state, ...change }));
    this.#notify();
  }

  #assign(change: (state: SessionState) => SessionState): void {
    if (this.#state !== undefined) this.#state = change(this.#state);
  }

  #notify(): void {
    if (this.#state === undefined || this.#closed.signal.aborted) return;
    for (const listener of this.#listeners) listener(this.#state);
  }
}

function isRunning({ status }: Conversation): boolean {
  return status === "running" || status === "compacting";
}

/** The event stream reports other errors too. @throws if the host is unreachable. */
function unlessUnreachable(error: unknown): void {
  if (isUnreachable(error)) throw error;
}

function unlessCode(code: ApiClientError["code"]): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ApiClientError) || error.code !== code) throw error;
  };
}
