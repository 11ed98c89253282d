import type { Approval, Conversation, Question, QueuedTurn, ReasoningEffort, TurnBody } from "@incipit/schema";
import { ApiClientError, routes, type Client, type Model } from "@incipit/transport-contract";
import type { EachTurn } from "../options/terminal-options.ts";
import type { ApprovalAnswer } from "./approval-answer.ts";
import type { BrokenPrefix } from "./broken-prefix.ts";
import { FollowedConversation } from "./followed-conversation.ts";
import { NextConversation, type Beginning } from "./next-conversation.ts";
import { openedConversation } from "./opened-conversation.ts";
import type { RunningTurn } from "./running-turn.ts";
import { sendMessage } from "./send-message.ts";
import type { SessionListener } from "./session-listener.ts";
import { nothingSpentYet, type Spending } from "./spending.ts";
import type { ValuesAnswer } from "./values-answer.ts";

export interface SessionOptions extends Beginning {
  readonly client: Client;
  readonly eachTurn: EachTurn;
  readonly listener: SessionListener;
}

/** Events in which the beginning of a turn that runs is looked for. */
const lookedBack = 5_000;

/**
 * One conversation, as the host tells it: it begins with the first message, and another one can take its place. Whoever else is in
 * it, such as the page, sees the same, and what they do is seen here.
 */
export class ConversationSession {
  readonly client: Client;
  readonly #options: SessionOptions;
  readonly #next: NextConversation;
  #open: FollowedConversation | undefined;
  #models: readonly Model[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
    this.client = options.client;
    const { cwd, model, profile, effort } = options;
    this.#next = new NextConversation(options.client, {
      cwd,
      ...(model === undefined ? {} : { model }),
      ...(profile === undefined ? {} : { profile }),
      ...(effort === undefined ? {} : { effort }),
    });
  }

  /** `undefined`: it begins with the first message. */
  get conversation(): Conversation | undefined {
    return this.#open?.conversation;
  }

  get queue(): readonly QueuedTurn[] {
    return this.#open?.queue ?? [];
  }

  /** Calls that wait for an answer, oldest first. */
  get approvals(): readonly Approval[] {
    return this.#open?.approvals ?? [];
  }

  /** Questions of tools for values, oldest first. */
  get questions(): readonly Question[] {
    return this.#open?.questions ?? [];
  }

  get running(): RunningTurn | undefined {
    return this.#open?.running;
  }

  get spending(): Spending {
    return this.#open?.spending ?? nothingSpentYet;
  }

  /** The newest call that did not begin as the one before. */
  get broken(): BrokenPrefix | undefined {
    return this.#open?.broken;
  }

  /** What would make a prompt of today another one, such as `file:AGENTS.md`. */
  get drift(): readonly string[] {
    return this.#open?.drift ?? [];
  }

  get models(): readonly Model[] {
    return this.#models;
  }

  /** The folder that its tools work in. */
  get cwd(): string {
    return (this.conversation ?? this.#next.beginning).cwd;
  }

  /** PROVIDER/MODEL that answers; `undefined`: not known yet. */
  get model(): string | undefined {
    const { model } = this.conversation ?? this.#next.beginning;
    return model ?? this.#models.find(({ isDefault }) => isDefault)?.id;
  }

  get profile(): string | undefined {
    return (this.conversation ?? this.#next.beginning).profile ?? undefined;
  }

  /** `undefined`: as the vendor has it. */
  get effort(): ReasoningEffort | undefined {
    return this.conversation === undefined
      ? this.#next.beginning.effort
      : this.conversation.settings?.reasoningEffort;
  }

  get facts(): Model["facts"] {
    return this.#factsOf(this.model);
  }

  /** Reads what a status needs. */
  async begin(): Promise<void> {
    const { models } = await this.client.call(routes.listModels);
    this.#models = models;
    this.#changed();
  }

  /** Leaves the conversation, as it is; the next message begins another one. */
  leave(): void {
    if (this.#open !== undefined) this.#options.listener.onLeave({ isRunning: this.running !== undefined });
    this.#open?.leave();
    this.#open = undefined;
    this.#next.leave();
    this.#changed();
  }

  /** Shows another conversation from its newest messages on. @throws {ApiClientError} when there is none with that id. */
  async open(id: string): Promise<void> {
    const { conversation, messages, hasOlder, isRunning } = await openedConversation(this.client, id);
    this.leave();
    const open = this.#opened(conversation);
    const runningId = isRunning ? messages[0]?.turnId : undefined;
    const past = messages.toReversed().filter(({ turnId }) => turnId !== runningId);
    await this.#options.listener.onPast(past, { hasOlder });
    const afterSeq = isRunning ? Math.max(0, conversation.lastSeq - lookedBack) : conversation.lastSeq;
    void open.follow({ afterSeq, runningId });
    await open.refresh();
    void open.readPast();
  }

  /** Sends a message, or what a command stands for; resolves once the host has it, with its turn. */
  async send(body: TurnBody): Promise<string | undefined> {
    const { id } = await this.begun();
    return sendMessage(this.client, id, { ...this.#options.eachTurn, ...body });
  }

  /** The conversation that is open, or a new one. */
  async begun(): Promise<Conversation> {
    if (this.conversation !== undefined) return this.conversation;
    const { conversation, isWanted } = await this.#next.begin();
    // Another call may have waited for it, too.
    if (isWanted && !this.#hasOpen()) void this.#opened(conversation).follow({ afterSeq: 0, runningId: undefined });
    return conversation;
  }

  /** Stops the turn that runs. */
  async stop(): Promise<void> {
    await this.#open?.stop();
  }

  async answer(approvalId: string, answer: ApprovalAnswer): Promise<void> {
    await this.#open?.answer(approvalId, answer);
  }

  /** Answers a question of a tool. @throws {ApiClientError} with what does not fit; the question stays open then. */
  async answerQuestion(questionId: string, answer: ValuesAnswer): Promise<void> {
    await this.#open?.answerQuestion(questionId, answer);
  }

  /** Takes a message that waits back out of the queue; gives its text. */
  async takeBack(turnId: string): Promise<string | undefined> {
    return this.#open?.takeBack(turnId);
  }

  /** Takes messages out of the queue, the next one first; returns the turns that had not begun. */
  async takeBackAll(turnIds: readonly string[]): Promise<readonly string[]> {
    const taken: string[] = [];
    for (const turnId of turnIds) {
      const text = await this.#open?.takeBack(turnId).catch((error: unknown) => {
        // It has begun meanwhile, or somebody else was faster.
        if (error instanceof ApiClientError && error.code === "TURN_NOT_QUEUED") return undefined;
        throw error;
      });
      if (text !== undefined) taken.push(turnId);
    }
    return taken;
  }

  /** Another model, from the next message on. */
  async setModel(model: string): Promise<void> {
    if (this.#open === undefined) this.#next.change({ model });
    else await this.#open.update({ model });
    this.#changed();
  }

  /** Another effort, or the vendor's own, from the next model call on. */
  async setEffort(effort: ReasoningEffort | undefined): Promise<void> {
    if (this.#open === undefined && effort === undefined) this.#next.withoutEffort();
    else if (this.#open === undefined) this.#next.change(effort === undefined ? {} : { effort });
    else {
      const { reasoningEffort: _, ...others } = this.#open.conversation.settings ?? {};
      const settings = effort === undefined ? others : { ...others, reasoningEffort: effort };
      await this.#open.update({ settings });
    }
    this.#changed();
  }

  /** Another profile, or none: its prompt and tools are those of the next epoch. */
  async setProfile(profile: string | undefined): Promise<void> {
    if (this.#open !== undefined) await this.#open.update({ profile: profile ?? null });
    else if (profile === undefined) this.#next.withoutProfile();
    else this.#next.change({ profile });
    this.#changed();
  }

  /** Another folder for its tools, from the next model call on. @param cwd Absolute. */
  async setCwd(cwd: string): Promise<void> {
    if (this.#open === undefined) this.#next.change({ cwd });
    else await this.#open.update({ cwd });
    this.#changed();
  }

  async setTitle(title: string): Promise<void> {
    await this.begun();
    await this.#open?.update({ title });
  }

  /** Looks again at what would make the prompt another one. */
  async lookForDrift(): Promise<void> {
    await this.#open?.lookForDrift();
  }

  close(): void {
    this.#open?.leave();
  }

  #opened(conversation: Conversation): FollowedConversation {
    const { client } = this;
    const { listener } = this.#options;
    const open = new FollowedConversation({
      client,
      conversation,
      listener,
      factsOf: (model) => this.#factsOf(model),
    });
    this.#open = open;
    return open;
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
