import {
  ConversationSession,
  isUnreachable,
  type ApprovalAnswer,
  type QuestionAnswer,
  type SessionState,
} from "@incipit/client/session";
import type { Conversation, TurnEvent, TurnId, UpdateConversationRequest } from "@incipit/schema";
import type { Client, Model } from "@incipit/transport-contract";
import type { BrokenPrefix } from "./cache-break.ts";
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

interface FollowedConversationOptions {
  readonly client: Client;
  readonly id: string;
  /** A conversation that was just created, which needs no `open()`. */
  readonly created?: Conversation;
  readonly listener: Pick<SessionListener, "onAway" | "onChange" | "onEvent" | "onProblem">;
  readonly factsOf: (model: string) => Model["facts"];
}

const shownMessages = 30;

/** What the terminal shows beyond the session: spending, what a turn waits for, and changes of the prompt. */
export class FollowedConversation {
  readonly #options: FollowedConversationOptions;
  readonly #session: ConversationSession;
  readonly #prompt: PromptWatch;
  #isLeft = false;
  #isAway = false;
  #running: RunningTurn | undefined;
  #spending = nothingSpentYet;
  #turnId: string | undefined;
  #model: string | undefined;

  constructor(options: FollowedConversationOptions) {
    this.#options = options;
    const { client, id, created, listener } = options;
    this.#session = new ConversationSession({
      client,
      id,
      ...(created === undefined ? {} : { created }),
      pageSize: shownMessages,
      keepsMessages: false,
      onEvent: (event) => this.#take(event),
      onProblem: listener.onProblem,
    });
    this.#session.subscribe(({ isAway }) => {
      if (isAway !== this.#isAway) listener.onAway((this.#isAway = isAway));
      listener.onChange();
    });
    this.#prompt = new PromptWatch({
      client,
      id,
      isRunning: () => this.#running !== undefined,
      isLeft: () => this.#isLeft,
      onChange: listener.onChange,
    });
  }

  get state(): SessionState {
    const { state } = this.#session;
    if (state === undefined) throw new Error("The conversation is not open yet");
    return state;
  }

  /** Its events follow; its messages are not shown. */
  get openTurnId(): TurnId | undefined {
    return this.#session.openTurnId;
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

  /** @throws {ApiClientError} if the id is unknown. */
  open(): Promise<SessionState> {
    return this.#session.open();
  }

  /** Never rejects. */
  async follow(): Promise<void> {
    try {
      await this.#session.follow();
    } catch (error) {
      this.#options.listener.onProblem(error);
    }
  }

  /** Never rejects. */
  async readPast(): Promise<void> {
    const { client, id, listener } = this.#options;
    try {
      const past = await pastCost(client, id);
      if (this.#isLeft || this.#running !== undefined) return;
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

  update(body: UpdateConversationRequest): Promise<void> {
    return this.#session.update(body);
  }

  stop(): Promise<void> {
    return this.#session.stop();
  }

  answer(approvalId: string, answer: ApprovalAnswer): Promise<void> {
    return this.#session.answerApproval(approvalId, answer);
  }

  answerQuestion(questionId: string, answer: QuestionAnswer): Promise<void> {
    return this.#session.answerQuestion(questionId, answer);
  }

  async takeBack(turnId: string): Promise<string | undefined> {
    const queued = this.state.queue.find((one) => one.turnId === turnId);
    if (queued === undefined) return undefined;
    await this.#session.takeBack(turnId);
    return queued.input;
  }

  /** Running turns continue. */
  leave(): void {
    this.#isLeft = true;
    this.#session.close();
  }

  async #take(event: TurnEvent): Promise<void> {
    const { factsOf, listener } = this.#options;
    const { conversation } = this.state;
    this.#running = runningAfter(this.#running, event, performance.now());
    if (event.type === "turn-start") this.#turnId = event.turnId;
    if (event.type === "turn-start") this.#spending = withTurnBegun(this.#spending);
    if (event.type === "step-start") this.#model = event.model;
    if (event.type === "step-end")
      this.#spending = withCall(this.#spending, event.usage, factsOf(this.#model ?? conversation.model));
    if (event.type === "compaction-end" && event.usage !== undefined)
      this.#spending = withCompaction(this.#spending, event.usage, {
        facts: factsOf(conversation.model),
        isOfTurn: this.#turnId === event.turnId,
      });
    await listener.onEvent(event);
    listener.onChange();
    if (event.type === "turn-end" || event.type === "compaction-end")
      void this.#prompt.lookAt(event.turnId).catch((error: unknown) => this.#problem(error));
  }

  /** An unreachable host is reported once, by the event stream. */
  #problem(error: unknown): void {
    if (!isUnreachable(error)) this.#options.listener.onProblem(error);
  }
}
