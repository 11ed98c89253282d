import { sendMessage, type ApprovalAnswer, type QuestionAnswer, type SessionState } from "@incipit/client/session";
import type {
  Approval,
  Conversation,
  Question,
  QueuedTurn,
  ReasoningEffort,
  TurnBody,
  UpdateConversationRequest,
} from "@incipit/schema";
import { ApiClientError, routes, type Client, type Model } from "@incipit/transport-contract";
import type { EachTurn } from "../options/terminal-options.ts";
import type { BrokenPrefix } from "./cache-break.ts";
import { FollowedConversation } from "./followed-conversation.ts";
import { NextConversation, type Beginning } from "./next-conversation.ts";
import type { RunningTurn } from "./running-turn.ts";
import type { SessionListener } from "./session-listener.ts";
import { nothingSpentYet, type Spending } from "./spending.ts";

export interface SessionOptions extends Beginning {
  readonly client: Client;
  readonly eachTurn: EachTurn;
  readonly listener: SessionListener;
}

/** Created with the first message. Other clients, such as the page, see the same events. */
export class TerminalSession {
  readonly client: Client;
  readonly #options: SessionOptions;
  readonly #next: NextConversation;
  #open: FollowedConversation | undefined;
  #models: readonly Model[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
    this.client = options.client;
    const { cwd, model, profile, effort } = options;
    this.#next = new NextConversation(options.client, { cwd, model, profile, effort });
  }

  get #state(): SessionState | undefined {
    return this.#open?.session.state;
  }

  get conversation(): Conversation | undefined {
    return this.#state?.conversation;
  }

  get queue(): readonly QueuedTurn[] {
    return this.#state?.queue ?? [];
  }

  get approvals(): readonly Approval[] {
    return this.conversation?.approvals ?? [];
  }

  get questions(): readonly Question[] {
    return this.conversation?.questions ?? [];
  }

  get running(): RunningTurn | undefined {
    return this.#open?.running;
  }

  get spending(): Spending {
    return this.#open?.spending ?? nothingSpentYet;
  }

  get broken(): BrokenPrefix | undefined {
    return this.#open?.prompt.broken;
  }

  get drift(): readonly string[] {
    return this.#open?.prompt.drift ?? [];
  }

  get models(): readonly Model[] {
    return this.#models;
  }

  get cwd(): string {
    return (this.conversation ?? this.#next.beginning).cwd;
  }

  get model(): string | undefined {
    const { model } = this.conversation ?? this.#next.beginning;
    return model ?? this.#models.find(({ isDefault }) => isDefault)?.id;
  }

  get profile(): string | undefined {
    return (this.conversation ?? this.#next.beginning).profile ?? undefined;
  }

  /** `undefined`: provider's default. */
  get effort(): ReasoningEffort | undefined {
    return this.conversation === undefined
      ? this.#next.beginning.effort
      : this.conversation.settings?.reasoningEffort;
  }

  get facts(): Model["facts"] {
    return this.#factsOf(this.model);
  }

  async begin(): Promise<void> {
    const { models } = await this.client.call(routes.listModels);
    this.#models = models;
    this.#changed();
  }

  /** Leaves the conversation; the next message creates another one. */
  leave(): void {
    if (this.#open !== undefined) this.#options.listener.onLeave({ isRunning: this.running !== undefined });
    this.#open?.leave();
    this.#open = undefined;
    this.#next.leave();
    this.#changed();
  }

  /** @throws {ApiClientError} if the id is unknown. */
  async open(id: string): Promise<void> {
    const open = this.#followed({ id });
    const { messages, hasOlder } = await open.session.open();
    this.leave();
    this.#open = open;
    const past = messages.filter(({ turnId }) => turnId !== open.session.openTurnId);
    await this.#options.listener.onPast(past, { hasOlder });
    void open.follow();
    this.#changed();
    void open.readPast();
  }

  async send(body: TurnBody): Promise<string | undefined> {
    const { id } = await this.begun();
    return sendMessage(this.client, { id, body: { ...this.#options.eachTurn, ...body } });
  }

  async begun(): Promise<Conversation> {
    if (this.conversation !== undefined) return this.conversation;
    const { conversation, isWanted } = await this.#next.begin();
    // Another call may have been waiting for the same conversation.
    if (isWanted && !this.#hasOpen()) {
      this.#open = this.#followed({ id: conversation.id, created: conversation });
      void this.#open.follow();
      this.#changed();
    }
    return conversation;
  }

  async stop(): Promise<void> {
    await this.#open?.session.stop();
  }

  async answer(approvalId: string, answer: ApprovalAnswer): Promise<void> {
    await this.#open?.session.answerApproval(approvalId, answer);
  }

  /** @throws {ApiClientError} for invalid values; the question stays open. */
  async answerQuestion(questionId: string, answer: QuestionAnswer): Promise<void> {
    await this.#open?.session.answerQuestion(questionId, answer);
  }

  async takeBack(turnId: string): Promise<string | undefined> {
    const queued = this.queue.find((one) => one.turnId === turnId);
    if (queued !== undefined) await this.#open?.session.takeBack(turnId);
    return queued?.input;
  }

  /** Removes queued turns, the next one first. Returns the ids of those that had not started. */
  async takeBackAll(turnIds: readonly string[]): Promise<readonly string[]> {
    const taken: string[] = [];
    for (const turnId of turnIds) {
      const text = await this.takeBack(turnId).catch((error: unknown) => {
        // It has started, or another client removed it.
        if (error instanceof ApiClientError && error.code === "TURN_NOT_QUEUED") return undefined;
        throw error;
      });
      if (text !== undefined) taken.push(turnId);
    }
    return taken;
  }

  /** Applies from the next message on. */
  setModel(model: string): Promise<void> {
    return this.#set({ model }, { model });
  }

  /** Applies from the next model call on. */
  setEffort(effort: ReasoningEffort | undefined): Promise<void> {
    const { reasoningEffort: _, ...others } = this.conversation?.settings ?? {};
    const settings = effort === undefined ? others : { ...others, reasoningEffort: effort };
    return this.#set({ effort }, { settings });
  }

  /** Changes the agent; its prompt and tools apply from the next epoch on. */
  setProfile(profile: string | undefined): Promise<void> {
    return this.#set({ profile }, { profile: profile ?? null });
  }

  /** Applies from the next model call on. */
  setCwd(cwd: string): Promise<void> {
    return this.#set({ cwd }, { cwd });
  }

  async setTitle(title: string): Promise<void> {
    await this.begun();
    await this.#open?.session.update({ title });
  }

  async lookForDrift(): Promise<void> {
    await this.#open?.prompt.lookForDrift();
  }

  close(): void {
    this.#open?.leave();
  }

  async #set(next: Partial<Beginning>, change: UpdateConversationRequest): Promise<void> {
    if (this.#open === undefined) this.#next.change(next);
    else await this.#open.session.update(change);
    this.#changed();
  }

  #followed(conversation: { readonly id: string; readonly created?: Conversation }): FollowedConversation {
    const { client } = this;
    const { listener } = this.#options;
    return new FollowedConversation({
      client,
      ...conversation,
      listener,
      factsOf: (model) => this.#factsOf(model),
    });
  }

  #hasOpen(): boolean {
    return this.#open !== undefined;
  }

  #factsOf(model: string | undefined): Model["facts"] {
    return this.#models.find(({ id }) => id === model)?.facts ?? null;
  }

  #changed(): void {
    this.#options.listener.onChange();
  }
}
