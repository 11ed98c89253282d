import type {
  Approval,
  Conversation,
  Question,
  QueuedTurn,
  TurnEvent,
  UpdateConversationRequest,
} from "@incipit/schema";
import { ApiClientError, routes, type Client, type Model } from "@incipit/transport-contract";
import type { ApprovalAnswer } from "./approval-answer.ts";
import type { BrokenPrefix } from "./cache-break.ts";
import { eventsOf, isGone } from "./events-of.ts";
import { OpenQuestions } from "./open-questions.ts";
import { pastCost } from "./past-cost.ts";
import { PromptWatch } from "./prompt-watch.ts";
import { runningAfter, type RunningTurn } from "./running-turn.ts";
import type { SessionListener } from "./session-listener.ts";
import {
  nothingSpent,
  nothingSpentYet,
  withCall,
  withCompaction,
  withTurnBegun,
  type Spending,
} from "./spending.ts";
import type { ValuesAnswer } from "./values-answer.ts";

interface FollowedConversationOptions {
  readonly client: Client;
  readonly conversation: Conversation;
  readonly listener: Pick<SessionListener, "onAway" | "onChange" | "onEvent" | "onProblem">;
  readonly factsOf: (model: string) => Model["facts"];
}

export interface FollowFrom {
  readonly afterSeq: number;
  /** Earlier turns were shown as messages. */
  readonly runningId: string | undefined;
}

export class FollowedConversation {
  readonly #options: FollowedConversationOptions;
  readonly #waiting = new OpenQuestions();
  readonly #prompt: PromptWatch;
  readonly #left = new AbortController();
  #conversation: Conversation;
  #queue: readonly QueuedTurn[] = [];
  #running: RunningTurn | undefined;
  #spending = nothingSpentYet;
  #turnId: string | undefined;
  #model: string | undefined;

  constructor(options: FollowedConversationOptions) {
    this.#options = options;
    this.#conversation = options.conversation;
    this.#waiting.set(options.conversation);
    this.#prompt = new PromptWatch({
      client: options.client,
      id: options.conversation.id,
      isRunning: () => this.#running !== undefined,
      isLeft: () => this.#isLeft(),
      onChange: options.listener.onChange,
    });
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get queue(): readonly QueuedTurn[] {
    return this.#queue;
  }

  get approvals(): readonly Approval[] {
    return this.#waiting.approvals;
  }

  get questions(): readonly Question[] {
    return this.#waiting.questions;
  }

  get running(): RunningTurn | undefined {
    return this.#running;
  }

  get spending(): Spending {
    return this.#spending;
  }

  get broken(): BrokenPrefix | undefined {
    return this.#prompt.broken;
  }

  get drift(): readonly string[] {
    return this.#prompt.drift;
  }

  async follow({ afterSeq, runningId }: FollowFrom): Promise<void> {
    const { client, listener } = this.#options;
    const { signal } = this.#left;
    const events = eventsOf({
      client,
      id: this.#conversation.id,
      afterSeq,
      signal,
      onAway: (isAway) => {
        listener.onAway(isAway);
        if (!isAway) void this.refresh().catch((error: unknown) => this.#problem(error));
      },
    });
    let isPast = runningId !== undefined;
    try {
      for await (const event of events) {
        if (isPast && event.turnId !== runningId) continue;
        isPast = false;
        await this.#take(event);
      }
    } catch (error) {
      if (!signal.aborted) listener.onProblem(error);
    }
  }

  async refresh(): Promise<void> {
    const {
      client,
      conversation: { id },
    } = this.#options;
    const { conversation } = await client.call(routes.getConversation, { params: { id } });
    if (this.#isLeft()) return;
    this.#conversation = conversation;
    this.#waiting.set(conversation);
    await this.#readQueue();
  }

  /** Never rejects. */
  async readPast(): Promise<void> {
    const {
      client,
      conversation: { id },
      listener,
    } = this.#options;
    try {
      const past = await pastCost(client, id);
      if (this.#isLeft() || this.#running !== undefined) return;
      this.#spending = { turn: nothingSpent, all: past.spent, usage: past.usage };
      listener.onChange();
      await this.lookForDrift();
    } catch (error) {
      this.#problem(error);
    }
  }

  lookForDrift(): Promise<void> {
    return this.#prompt.lookForDrift();
  }

  async update(body: UpdateConversationRequest): Promise<void> {
    const {
      client,
      conversation: { id },
      listener,
    } = this.#options;
    const { conversation } = await client.call(routes.updateConversation, { params: { id }, body });
    this.#conversation = conversation;
    listener.onChange();
  }

  async stop(): Promise<void> {
    const {
      client,
      conversation: { id },
    } = this.#options;
    await client.call(routes.stopConversation, { params: { id } });
  }

  async answer(approvalId: string, body: ApprovalAnswer): Promise<void> {
    const {
      client,
      conversation: { id },
    } = this.#options;
    try {
      await client.call(routes.answerApproval, { params: { id, approvalId }, body });
    } catch (error) {
      // Another client answered first; its event follows.
      if (!(error instanceof ApiClientError) || error.code !== "APPROVAL_ENDED") throw error;
    }
  }

  async answerQuestion(questionId: string, body: ValuesAnswer): Promise<void> {
    const {
      client,
      conversation: { id },
    } = this.#options;
    try {
      await client.call(routes.answerQuestion, { params: { id, questionId }, body });
    } catch (error) {
      if (!(error instanceof ApiClientError) || error.code !== "QUESTION_ENDED") throw error;
    }
  }

  async takeBack(turnId: string): Promise<string | undefined> {
    const {
      client,
      conversation: { id },
      listener,
    } = this.#options;
    const queued = this.#queue.find((one) => one.turnId === turnId);
    if (queued === undefined) return undefined;
    const { queue } = await client.call(routes.removeQueuedTurn, { params: { id, turnId } });
    this.#queue = queue;
    listener.onChange();
    return queued.input;
  }

  /** Running turns continue. */
  leave(): void {
    this.#left.abort();
  }

  async #take(event: TurnEvent): Promise<void> {
    const { factsOf, listener } = this.#options;
    this.#running = runningAfter(this.#running, event, performance.now());
    if (event.type === "turn-start") this.#turnId = event.turnId;
    if (event.type === "turn-start") this.#spending = withTurnBegun(this.#spending);
    if (event.type === "step-start") this.#model = event.model;
    if (event.type === "step-end")
      this.#spending = withCall(this.#spending, event.usage, factsOf(this.#model ?? this.#conversation.model));
    if (event.type === "compaction-end" && event.usage !== undefined)
      this.#spending = withCompaction(this.#spending, event.usage, {
        facts: factsOf(this.#conversation.model),
        isOfTurn: this.#turnId === event.turnId,
      });
    this.#waiting.take(event);
    await listener.onEvent(event);
    listener.onChange();
    if (event.type === "turn-queue" || event.type === "turn-start") await this.#tried(this.#readQueue());
    if (event.type === "turn-end" || event.type === "compaction-end") {
      this.#waiting.turnEnded(event.turnId);
      await this.#tried(this.refresh());
      void this.#prompt.lookAt(event.turnId).catch((error: unknown) => this.#problem(error));
    }
  }

  async #readQueue(): Promise<void> {
    const {
      client,
      conversation: { id },
      listener,
    } = this.#options;
    const { queue } = await client.call(routes.getQueue, { params: { id } });
    if (this.#isLeft()) return;
    this.#queue = queue;
    listener.onChange();
  }

  /** A failed follow-up, such as at a host's stop, must not end the event stream. */
  async #tried(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#problem(error);
    }
  }

  /** An unreachable host is reported once, by the event stream. */
  #problem(error: unknown): void {
    if (!isGone(error)) this.#options.listener.onProblem(error);
  }

  #isLeft(): boolean {
    return this.#left.signal.aborted;
  }
}
