import { ConversationSession, isUnreachable } from "@incipit/client/session";
import type { Conversation, TurnEvent } from "@incipit/schema";
import type { Client, Model } from "@incipit/transport-contract";
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
  /** A conversation that was just created. */
  readonly created?: Conversation;
  readonly listener: Pick<SessionListener, "onAway" | "onChange" | "onEvent" | "onProblem">;
  readonly factsOf: (model: string | undefined) => Model["facts"];
}

const shownMessages = 30;

/** A session, and what the terminal shows beyond it: spending, what a turn waits for, and changes of the prompt. */
export class FollowedConversation {
  readonly #options: FollowedConversationOptions;
  readonly session: ConversationSession;
  readonly prompt: PromptWatch;
  #isLeft = false;
  #isAway = false;
  #running: RunningTurn | undefined;
  #spending = nothingSpentYet;
  #turnId: string | undefined;
  #model: string | undefined;

  constructor(options: FollowedConversationOptions) {
    this.#options = options;
    const { client, id, created, listener } = options;
    this.session = new ConversationSession({
      client,
      id,
      ...(created === undefined ? {} : { created }),
      pageSize: shownMessages,
      keepsMessages: false,
      onEvent: (event) => this.#take(event),
      onProblem: listener.onProblem,
    });
    this.session.subscribe(({ isAway }) => {
      if (isAway !== this.#isAway) listener.onAway((this.#isAway = isAway));
      listener.onChange();
    });
    this.prompt = new PromptWatch({
      client,
      id,
      isRunning: () => this.#running !== undefined,
      isLeft: () => this.#isLeft,
      onChange: listener.onChange,
    });
  }

  get running(): RunningTurn | undefined {
    return this.#running;
  }

  get spending(): Spending {
    return this.#spending;
  }

  /** Never rejects. */
  async follow(): Promise<void> {
    try {
      await this.session.follow();
    } catch (error) {
      this.#options.listener.onProblem(error);
    }
  }

  /** Never rejects. */
  async readPast(): Promise<void> {
    const { client, id, listener } = this.#options;
    try {
      const past = await pastCost(client, id);
      // The replay of an open turn counts its calls.
      if (this.#isLeft || this.#running !== undefined || this.session.openTurnId !== undefined) return;
      this.#spending = { turn: nothingSpent, all: past.spent, usage: past.usage };
      listener.onChange();
      await this.prompt.lookForDrift();
    } catch (error) {
      this.#problem(error);
    }
  }

  /** Stops following; running turns continue. */
  leave(): void {
    this.#isLeft = true;
    this.session.close();
  }

  async #take(event: TurnEvent): Promise<void> {
    const { factsOf, listener } = this.#options;
    const model = this.session.state?.conversation.model;
    this.#running = runningAfter(this.#running, event, performance.now());
    if (event.type === "turn-start") this.#turnId = event.turnId;
    if (event.type === "turn-start") this.#spending = withTurnBegun(this.#spending);
    if (event.type === "step-start") this.#model = event.model;
    if (event.type === "step-end")
      this.#spending = withCall(this.#spending, event.usage, factsOf(this.#model ?? model));
    if (event.type === "compaction-end" && event.usage !== undefined)
      this.#spending = withCompaction(this.#spending, event.usage, {
        facts: factsOf(model),
        isOfTurn: this.#turnId === event.turnId,
      });
    await listener.onEvent(event);
    listener.onChange();
    if (event.type === "turn-end" || event.type === "compaction-end")
      void this.prompt.lookAt(event.turnId).catch((error: unknown) => this.#problem(error));
  }

  /** An unreachable host is reported once, by the event stream. */
  #problem(error: unknown): void {
    if (!isUnreachable(error)) this.#options.listener.onProblem(error);
  }
}
