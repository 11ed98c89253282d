import type {
  Approval,
  Conversation,
  Message,
  Question,
  QueuedTurn,
  TurnBody,
  TurnEvent,
  UpdateConversationRequest,
} from "@incipit/schema";
import { ApiClientError, routes, type Client, type Model } from "@incipit/transport-contract";
import type { ApprovalAnswer } from "./approval-answer.ts";
import type { EachTurn } from "../options/terminal-options.ts";
import { PrefixWatch, type BrokenPrefix } from "./broken-prefix.ts";
import { eventsOf, isGone } from "./events-of.ts";
import { openedConversation } from "./opened-conversation.ts";
import { pastCost } from "./past-cost.ts";
import type { ValuesAnswer } from "./values-answer.ts";
import { runningAfter, type RunningTurn } from "./running-turn.ts";
import { nothingSpent, nothingSpentYet, withCall, withTurnBegun, type Spending } from "./spending.ts";

/** What is told of a conversation, when it happens. */
interface SessionListener {
  /** Messages from before, oldest first. */
  readonly onPast: (messages: readonly Message[], options: { readonly hasOlder: boolean }) => Promise<void> | void;
  /** The next event comes once this one was taken. */
  readonly onEvent: (event: TurnEvent) => Promise<void> | void;
  /** The conversation is left; what runs in it goes on. */
  readonly onLeave: (options: { readonly isRunning: boolean }) => void;
  /** Anything of the session's state is another one. */
  readonly onChange: () => void;
  readonly onAway: (isAway: boolean) => void;
  /** What could not be done, and was not asked for by anybody who could be told. */
  readonly onProblem: (error: unknown) => void;
}

export interface SessionOptions {
  readonly client: Client;
  /** Working folder of a conversation that begins; absolute. */
  readonly cwd: string;
  /** PROVIDER/MODEL of one that begins; absent: the host's own. */
  readonly model?: string;
  readonly profile?: string;
  readonly eachTurn: EachTurn;
  readonly listener: SessionListener;
}

/** Events in which the beginning of a turn that runs is looked for. */
const lookedBack = 5_000;
const sendTries = 3;

/**
 * One conversation, as the host tells it: it begins with the first message, and another one can take its place. Whoever else is in
 * it, such as the page, sees the same, and what they do is seen here.
 */
export class ConversationSession {
  readonly client: Client;
  readonly #options: SessionOptions;
  #following = new AbortController();
  #conversation: Conversation | undefined;
  #creating: Promise<Conversation> | undefined;
  #queue: readonly QueuedTurn[] = [];
  #approvals: readonly Approval[] = [];
  #questions: readonly Question[] = [];
  #running: RunningTurn | undefined;
  #spending = nothingSpentYet;
  #models: readonly Model[] = [];
  #broken: BrokenPrefix | undefined;
  #prefixes: PrefixWatch | undefined;
  #drift: readonly string[] = [];
  #next: Pick<SessionOptions, "cwd" | "model" | "profile">;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.client = options.client;
    const { cwd, model, profile } = options;
    this.#next = { cwd, ...(model === undefined ? {} : { model }), ...(profile === undefined ? {} : { profile }) };
  }

  /** `undefined`: it begins with the first message. */
  get conversation(): Conversation | undefined {
    return this.#conversation;
  }

  get queue(): readonly QueuedTurn[] {
    return this.#queue;
  }

  /** Calls that wait for an answer, oldest first. */
  get approvals(): readonly Approval[] {
    return this.#approvals;
  }

  /** Questions of tools for values, oldest first. */
  get questions(): readonly Question[] {
    return this.#questions;
  }

  get running(): RunningTurn | undefined {
    return this.#running;
  }

  get spending(): Spending {
    return this.#spending;
  }

  /** The newest call that did not begin as the one before. */
  get broken(): BrokenPrefix | undefined {
    return this.#broken;
  }

  /** What would make a prompt of today another one, such as `file:AGENTS.md`. */
  get drift(): readonly string[] {
    return this.#drift;
  }

  get models(): readonly Model[] {
    return this.#models;
  }

  /** The folder that its tools work in. */
  get cwd(): string {
    return this.#conversation?.cwd ?? this.#next.cwd;
  }

  /** PROVIDER/MODEL that answers; `undefined`: not known yet. */
  get model(): string | undefined {
    return this.#conversation?.model ?? this.#next.model ?? this.#models.find(({ isDefault }) => isDefault)?.id;
  }

  get profile(): string | undefined {
    return this.#conversation === undefined ? this.#next.profile : (this.#conversation.profile ?? undefined);
  }

  get facts(): Model["facts"] {
    return this.#models.find(({ id }) => id === this.model)?.facts ?? null;
  }

  /** Reads what a status needs. */
  async begin(): Promise<void> {
    const { models } = await this.client.call(routes.listModels);
    this.#models = models;
    this.#changed();
  }

  /** Leaves the conversation, as it is; the next message begins another one. */
  leave(): void {
    if (this.#conversation !== undefined)
      this.#options.listener.onLeave({ isRunning: this.#running !== undefined });
    this.#following.abort();
    this.#following = new AbortController();
    this.#conversation = undefined;
    this.#creating = undefined;
    this.#queue = [];
    this.#approvals = [];
    this.#questions = [];
    this.#running = undefined;
    this.#spending = nothingSpentYet;
    this.#broken = undefined;
    this.#prefixes = undefined;
    this.#drift = [];
    this.#changed();
  }

  /** Shows another conversation from its newest messages on. @throws {ApiClientError} when there is none with that id. */
  async open(id: string): Promise<void> {
    const { conversation, messages, hasOlder, isRunning } = await openedConversation(this.client, id);
    this.leave();
    this.#conversation = conversation;
    this.#approvals = conversation.approvals;
    this.#questions = conversation.questions;
    const runningId = isRunning ? messages[0]?.turnId : undefined;
    const past = messages.toReversed().filter(({ turnId }) => turnId !== runningId);
    await this.#options.listener.onPast(past, { hasOlder });
    const afterSeq = isRunning ? Math.max(0, conversation.lastSeq - lookedBack) : conversation.lastSeq;
    void this.#follow(id, { afterSeq, runningId });
    await this.#refresh();
    void this.#readPast(id);
  }

  /** Sends a message, or what a command stands for; resolves once the host has it, with its turn. */
  async send(body: TurnBody): Promise<string | undefined> {
    const { id } = await this.begun();
    const idempotencyKey = crypto.randomUUID();
    for (let count = 1; ; count += 1) {
      const taken = new AbortController();
      try {
        // Its events come with those of everybody else; this stream would keep its connection.
        const sent = this.client.sendTurn(
          id,
          { ...this.#options.eachTurn, ...body },
          { idempotencyKey, signal: taken.signal },
        );
        for await (const { turnId } of sent) return turnId;
        return undefined;
      } catch (error) {
        if (!isGone(error) || count >= sendTries) throw error;
      } finally {
        taken.abort();
      }
    }
  }

  /** The conversation that is open, or a new one. */
  async begun(): Promise<Conversation> {
    if (this.#conversation !== undefined) return this.#conversation;
    const body = this.#next;
    this.#creating ??= this.client
      .call(routes.createConversation, { body })
      .then(({ conversation }) => conversation);
    const creating = this.#creating;
    try {
      const conversation = await creating;
      if (this.#creating === creating && this.#conversation === undefined) {
        this.#conversation = conversation;
        void this.#follow(conversation.id, { afterSeq: 0, runningId: undefined });
      }
      return conversation;
    } catch (error) {
      this.#creating = undefined;
      throw error;
    }
  }

  /** Stops the turn that runs. */
  async stop(): Promise<void> {
    const id = this.#conversation?.id;
    if (id !== undefined) await this.client.call(routes.stopConversation, { params: { id } });
  }

  async answer(approvalId: string, answer: ApprovalAnswer): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined) return;
    try {
      await this.client.call(routes.answerApproval, { params: { id, approvalId }, body: answer });
    } catch (error) {
      // Somebody else was faster: what they said is told by its event.
      if (!(error instanceof ApiClientError) || error.code !== "APPROVAL_ENDED") throw error;
    }
  }

  /** Answers a question of a tool. @throws {ApiClientError} with what does not fit; the question stays open then. */
  async answerQuestion(questionId: string, body: ValuesAnswer): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined) return;
    try {
      await this.client.call(routes.answerQuestion, { params: { id, questionId }, body });
    } catch (error) {
      if (!(error instanceof ApiClientError) || error.code !== "QUESTION_ENDED") throw error;
    }
  }

  /** Takes a message that waits back out of the queue; gives its text. */
  async takeBack(turnId: string): Promise<string | undefined> {
    const id = this.#conversation?.id;
    const queued = this.#queue.find((one) => one.turnId === turnId);
    if (id === undefined || queued === undefined) return undefined;
    const { queue } = await this.client.call(routes.removeQueuedTurn, { params: { id, turnId } });
    this.#queue = queue;
    this.#changed();
    return queued.input;
  }

  /** Another model, from the next message on. */
  async setModel(model: string): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined) this.#next = { ...this.#next, model };
    else await this.#update(id, { model });
    this.#changed();
  }

  /** Another profile, or none: its prompt and tools are those of the next epoch. */
  async setProfile(profile: string | undefined): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined) {
      const { profile: _, ...others } = this.#next;
      this.#next = profile === undefined ? others : { ...others, profile };
    } else await this.#update(id, { profile: profile ?? null });
    this.#changed();
  }

  /** Another folder for its tools, from the next model call on. @param cwd Absolute. */
  async setCwd(cwd: string): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined) this.#next = { ...this.#next, cwd };
    else await this.#update(id, { cwd });
    this.#changed();
  }

  async setTitle(title: string): Promise<void> {
    const { id } = await this.begun();
    await this.#update(id, { title });
  }

  async #update(id: string, body: UpdateConversationRequest): Promise<void> {
    const { conversation } = await this.client.call(routes.updateConversation, { params: { id }, body });
    this.#conversation = conversation;
    this.#changed();
  }

  /** Looks again at what would make the prompt another one. */
  async lookForDrift(): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined || this.#running !== undefined) return;
    const { drift } = await this.client.call(routes.getDrift, { params: { id } });
    const names =
      drift === null || drift.isSame ? [] : drift.hunks.flatMap(({ causes }) => causes.map(({ name }) => name));
    if (this.#conversation?.id !== id) return;
    this.#drift = [...new Set(names)];
    this.#changed();
  }

  close(): void {
    this.#following.abort();
  }

  async #follow(
    id: string,
    { afterSeq, runningId }: { readonly afterSeq: number; readonly runningId: string | undefined },
  ): Promise<void> {
    const { listener } = this.#options;
    const { signal } = this.#following;
    const events = eventsOf({
      client: this.client,
      id,
      afterSeq,
      signal,
      onAway: (isAway) => {
        listener.onAway(isAway);
        if (!isAway) void this.#refresh().catch((error: unknown) => this.#problem(error));
      },
    });
    let isPast = runningId !== undefined;
    try {
      for await (const event of events) {
        if (isPast && event.turnId !== runningId) continue; // What was said before was shown as messages.
        isPast = false;
        await this.#take(event);
      }
    } catch (error) {
      if (!signal.aborted) listener.onProblem(error);
    }
  }

  async #take(event: TurnEvent): Promise<void> {
    const { listener } = this.#options;
    this.#running = runningAfter(this.#running, event, performance.now());
    if (event.type === "turn-start") this.#spending = withTurnBegun(this.#spending);
    if (event.type === "step-end") this.#spending = withCall(this.#spending, event.usage, this.facts);
    if (event.type === "approval-request") {
      const { type: _, seq: __, at: ___, ...approval } = event;
      this.#approvals = [
        ...this.#approvals.filter(({ approvalId }) => approvalId !== approval.approvalId),
        approval,
      ];
    }
    if (event.type === "approval-end")
      this.#approvals = this.#approvals.filter(({ approvalId }) => approvalId !== event.approvalId);
    if (event.type === "question-request") {
      const { type: _, seq: __, at: ___, ...question } = event;
      this.#questions = [
        ...this.#questions.filter(({ questionId }) => questionId !== question.questionId),
        question,
      ];
    }
    if (event.type === "question-end")
      this.#questions = this.#questions.filter(({ questionId }) => questionId !== event.questionId);
    await listener.onEvent(event);
    this.#changed();
    if (event.type === "turn-queue" || event.type === "turn-start") await this.#tried(this.#readQueue());
    if (event.type === "turn-end" || event.type === "compaction-end") {
      this.#approvals = [];
      this.#questions = [];
      await this.#tried(this.#refresh());
      void this.#readAudit(event.turnId).catch((error: unknown) => this.#problem(error));
    }
  }

  async #readQueue(): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined) return;
    const { queue } = await this.client.call(routes.getQueue, { params: { id } });
    if (this.#conversation?.id !== id) return;
    this.#queue = queue;
    this.#changed();
  }

  async #refresh(): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined) return;
    const { conversation } = await this.client.call(routes.getConversation, { params: { id } });
    if (this.#conversation?.id !== id) return;
    this.#conversation = conversation;
    this.#approvals = conversation.approvals;
    this.#questions = conversation.questions;
    await this.#readQueue();
  }

  /** What the calls before this terminal came to. */
  async #readPast(id: string): Promise<void> {
    try {
      const past = await pastCost(this.client, id);
      if (this.#conversation?.id !== id || this.#running !== undefined) return;
      this.#spending = { turn: nothingSpent, all: past.spent, usage: past.usage };
      this.#changed();
      await this.lookForDrift();
    } catch (error) {
      this.#problem(error);
    }
  }

  /** Whether the calls of a turn began as those before them. */
  async #readAudit(turnId: string): Promise<void> {
    const id = this.#conversation?.id;
    if (id === undefined) return;
    this.#prefixes ??= new PrefixWatch(this.client, id);
    const broken = await this.#prefixes.brokenIn(turnId);
    if (this.#conversation?.id !== id) return;
    this.#broken = broken;
    this.#changed();
    await this.lookForDrift();
  }

  /** What follows from an event does not end the following of events, as with a host that ends just then. */
  async #tried(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#problem(error);
    }
  }

  /** What nobody has asked for: a host that is away is told of once, by its events. */
  #problem(error: unknown): void {
    if (!isGone(error)) this.#options.listener.onProblem(error);
  }

  #changed(): void {
    this.#options.listener.onChange();
  }
}
