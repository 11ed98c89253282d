import {
  RequestError,
  type ContentBlock,
  type PromptResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk/unstable";
import type { Approval, Conversation, TurnEvent, TurnId, Usage } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";
import { turnInput } from "../prompt/turn-input.ts";
import { textContent } from "../tools/tool-view.ts";
import { CompactionUpdates } from "../updates/compaction-updates.ts";
import { NoticeUpdates } from "../updates/notice-updates.ts";
import { stopReasonOf, TurnTokens } from "../updates/stop-reason.ts";
import { TurnUpdates } from "../updates/turn-updates.ts";
import type { Editor } from "./editor.ts";
import { followConversation } from "./follow-conversation.ts";
import { Permissions } from "./permissions.ts";
import { Prompts, type SaidPrompt } from "./prompts.ts";
import { SessionCommands } from "./session-commands.ts";
import { SessionNews, type SessionNewsOptions } from "./session-news.ts";
import { stateOf, type SessionState } from "./session-state.ts";
import { ValueQuestions } from "./value-questions.ts";

export interface SessionOptions {
  readonly conversation: Conversation;
  /** The number of the event behind which it is told what happens. */
  readonly afterSeq: number;
  readonly link: HostLink;
  readonly editor: Editor;
  readonly log: (line: string) => void;
}

type EventOf<Type extends TurnEvent["type"]> = Extract<TurnEvent, { type: Type }>;

/** What is known of the turn that runs, whoever has begun it. */
interface RunningTurn {
  readonly turnId: TurnId;
  readonly tokens: TurnTokens;
  lastUsage: Usage | undefined;
  /** What changed beside it was looked for. */
  isLookedAt: boolean;
}

/** Messages among which the newest one of a turn is looked for. */
const newestMessages = 5;

/** A call about which nobody is asked for so long after it was written counts as running: no event tells that. */
const askedWithinMs = 200;

/**
 * A conversation that an editor has open. All that happens in it is told from its events, in their order, also what others say
 * there; a prompt is answered when its own turn has ended.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #updates: TurnUpdates;
  readonly #permissions: Permissions;
  readonly #questions: ValueQuestions;
  readonly #prompts: Prompts;
  readonly #commands: SessionCommands;
  readonly #compactions: CompactionUpdates;
  readonly #notices: NoticeUpdates;
  readonly news: SessionNews;
  /** Prompts are sent in the order in which they came, whatever it takes to know what each is. */
  #read: Promise<unknown> = Promise.resolve();
  readonly #closed = new AbortController();
  /** Ends the following that goes on; `undefined`: nobody has followed it yet. */
  #paused: AbortController | undefined;
  /** One following after the other: each thing is told once, in its order. */
  #followed: Promise<void> = Promise.resolve();
  /** The number of the event that was told last. */
  #afterSeq: number;
  readonly #conversation: Conversation;
  /** Its folder, as it was when somebody looked last: another client may give it another one. */
  #cwd: string;
  #running: RunningTurn | undefined;
  /** What it was last told that the session is doing. */
  #told: SessionState["kind"] | undefined;
  /** The editor is gone: nobody is there who could be asked. */
  #isLeft = false;

  constructor(options: SessionOptions) {
    const { conversation, afterSeq, link, editor, log } = options;
    const { id: conversationId } = conversation;
    this.#options = options;
    this.#conversation = conversation;
    this.#afterSeq = afterSeq;
    this.#cwd = conversation.cwd;
    this.#updates = new TurnUpdates(conversation);
    this.#permissions = new Permissions({ conversationId, link, editor, log });
    const notice = ({ toolCallId }: { readonly toolCallId: string }, text: string): Promise<void> =>
      this.tell([{ sessionUpdate: "tool_call_update", toolCallId, content: [textContent(text)] }]);
    this.#questions = new ValueQuestions({ conversationId, link, editor, notice, log });
    this.#prompts = new Prompts({ conversationId, link, log });
    this.#commands = new SessionCommands(link, conversation);
    this.#compactions = new CompactionUpdates(editor.capabilities);
    this.#notices = new NoticeUpdates(editor.capabilities);
    const tell: SessionNewsOptions["tell"] = (updates) => this.tell(updates);
    this.news = new SessionNews({ conversation, link, tell, log });
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Tells what it is doing that was opened now. */
  tellPresent(): Promise<void> {
    return this.#tellState(stateOf(this.#conversation));
  }

  /** Whether what happens is told at this moment. */
  get isFollowing(): boolean {
    return this.#paused?.signal.aborted === false;
  }

  /** Tells what happens until it is paused or closed, behind what was told before. @throws {ApiClientError} when it is gone. */
  follow(): Promise<void> {
    const paused = new AbortController();
    this.#paused = paused;
    const before = this.#followed;
    const followed = before.then(() => this.#follow(paused.signal));
    this.#followed = followed.catch(() => undefined); // Whoever has asked for it is told.
    return followed;
  }

  /** What happens from here on is told when it is followed again. */
  pause(): void {
    this.#paused?.abort();
  }

  async #follow(paused: AbortSignal): Promise<void> {
    const { link, log } = this.#options;
    const onAway = (error: unknown): void => this.#prompts.failAll(error);
    const take = (event: TurnEvent): Promise<void> => {
      this.#afterSeq = event.seq;
      return this.#take(event);
    };
    const signal = AbortSignal.any([this.#closed.signal, paused]);
    try {
      await followConversation(this.#conversation.id, {
        link,
        afterSeq: this.#afterSeq,
        take,
        onAway,
        log,
        signal,
      });
    } catch (error) {
      this.#prompts.failAll(error);
      this.close();
      throw error;
    }
  }

  /** Resolves when the turn of the prompt has ended; several wait for each other, in the order in which they came. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    return this.#prompts.send(this.#saidPrompt(blocks, signal));
  }

  /** Resolves when the turn of the prompt has begun; what comes of it, states tell. */
  async insert(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<TurnId> {
    return this.#prompts.insert(this.#saidPrompt(blocks, signal));
  }

  /** Tells which commands can be sent. Never rejects. */
  async tellCommands(): Promise<void> {
    try {
      const availableCommands = await this.#commands.available();
      await this.tell([{ sessionUpdate: "available_commands_update", availableCommands }]);
    } catch (error) {
      this.#options.log(`The commands could not be listed: ${String(error)}`);
    }
  }

  /** Ends what this editor has asked for; where it has asked for nothing, what somebody else has begun. */
  cancel(): Promise<void> {
    return this.#prompts.isIdle ? this.#prompts.stop() : this.#prompts.cancel();
  }

  /** Ends what this editor has asked for, and resolves when it has been told so. */
  async end(): Promise<void> {
    await this.#prompts.cancel();
    await this.#prompts.answered();
    this.close();
  }

  /** Whether nothing that this editor has asked for is open. */
  get isIdle(): boolean {
    return this.#prompts.isIdle;
  }

  /** Asks about what has waited for an answer since before this editor came. */
  askOpen(): void {
    for (const approval of this.#conversation.approvals) this.#ask(approval);
    for (const question of this.#conversation.questions) this.#questions.ask(question);
  }

  tell(updates: readonly SessionUpdate[]): Promise<void> {
    return this.#options.editor.tell(this.#conversation.id, updates);
  }

  /** The editor does not follow it any more; nothing is stopped. */
  close(): void {
    this.#closed.abort();
    this.#permissions.close();
    this.#questions.close();
  }

  /**
   * For a host that ends with its editor: resolves when what the editor has asked for is over. What would be asked is denied
   * meanwhile, and the model goes on without it.
   */
  async finish(): Promise<void> {
    const { link } = this.#options;
    const { id } = this.#conversation;
    this.#isLeft = true;
    this.#permissions.close();
    this.#questions.close();
    const { conversation } = await link.call((client) => client.call(routes.getConversation, { params: { id } }));
    for (const { approvalId } of conversation.approvals) await this.#permissions.deny(approvalId);
    for (const { questionId } of conversation.questions) await this.#questions.cancel(questionId);
    await this.#prompts.answered();
  }

  async #take(event: TurnEvent): Promise<void> {
    switch (event.type) {
      case "turn-queue":
      case "turn-start":
        await this.#prompts.sent(); // Whose turn it is, the answer to what was sent says.
        if (event.type === "turn-start") await this.#begin(event);
        return;
      case "text-delta":
        await this.tell(this.#updates.take(event));
        return this.#lookOnce();
      case "text-start":
      case "text-end":
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
      case "tool-call-start":
      case "tool-call-progress":
        return this.tell(this.#updates.take(event));
      case "tool-call-end":
        await this.tell(this.#updates.take(event));
        return this.#tellProgress();
      case "message-end":
        return this.#tellCalls(event);
      case "approval-request":
        await this.tell(this.#updates.take(event));
        await this.#tellProgress();
        if (!this.#prompts.isOwn(event.turnId)) return; // Whoever has begun the turn is asked.
        if (this.#isLeft) await this.#permissions.deny(event.approvalId);
        else this.#ask(event);
        return;
      case "approval-end":
        this.#permissions.end(event.approvalId);
        await this.tell(this.#updates.take(event));
        return this.#tellProgress();
      case "question-request":
        await this.tell(this.#updates.take(event));
        await this.#tellProgress();
        if (!this.#prompts.isOwn(event.turnId)) return; // Whoever has begun the turn is asked.
        if (this.#isLeft) await this.#questions.cancel(event.questionId);
        else this.#questions.ask(event);
        return;
      case "question-end":
        this.#questions.end(event.questionId);
        await this.tell(this.#updates.take(event));
        return this.#tellProgress();
      case "step-end":
        if (this.#running === undefined) return;
        this.#running.lastUsage = event.usage;
        this.#running.tokens.add(event.usage);
        return this.#lookOnce();
      case "turn-end":
        return this.#endTurn(event);
      case "tools-resolve":
      case "step-retry":
      case "spending-notice":
      case "folder-notice":
        return this.tell(this.#notices.take(event));
      case "prompt-resolve":
      case "step-start":
      case "task-start":
        return;
      case "compaction-start":
        if (this.#running === undefined) await this.#tellState({ kind: "running" });
        return this.tell(this.#compactions.take(event));
      case "compaction-end":
        if (event.usage !== undefined) this.#running?.tokens.add(event.usage);
        await this.tell(this.#compactions.take(event));
        if (this.#running === undefined) await this.#tellState({ kind: "idle" }); // What failed of it, it says itself.
        return;
    }
  }

  async #begin({ turnId, input }: EventOf<"turn-start">): Promise<void> {
    this.#running = {
      turnId,
      tokens: new TurnTokens(),
      lastUsage: undefined,
      isLookedAt: false,
    };
    await this.#tellState({ kind: "running" });
    const own = this.#prompts.begin(turnId);
    await this.#lookAtFolder();
    if (own !== undefined && !this.#options.editor.isToldStates) return; // It shows what was typed there.
    const said = own?.blocks ?? [{ type: "text", text: input } as const];
    await this.tell(said.map((content) => ({ sessionUpdate: "user_message_chunk", content, messageId: turnId })));
  }

  #saidPrompt(blocks: readonly ContentBlock[], signal: AbortSignal): SaidPrompt {
    const typed = blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    const body = this.#read.then(async () => {
      await this.#lookAtFolder();
      return this.#commands.bodyOf(turnInput(blocks, { cwd: this.#cwd }), typed);
    });
    this.#read = body.catch(() => undefined); // Whoever has sent it is told.
    return { blocks, body, signal };
  }

  /** Never rejects. */
  async #lookAtFolder(): Promise<void> {
    const { link, log } = this.#options;
    const { id } = this.#conversation;
    try {
      const { conversation } = await link.call((client) => client.call(routes.getConversation, { params: { id } }));
      this.#cwd = conversation.cwd;
      this.#updates.moveTo(conversation.cwd);
    } catch (error) {
      log(`The folder of a session could not be read: ${String(error)}`);
    }
  }

  /** Behind the first words of a turn, which nothing is to delay. */
  #lookOnce(): void {
    if (this.#running === undefined || this.#running.isLookedAt) return;
    this.#running.isLookedAt = true;
    void this.news.look();
  }

  #tellState(state: SessionState): Promise<void> {
    this.#told = state.kind;
    return this.#options.editor.tellState(this.#conversation.id, state);
  }

  /** Whether it goes on by itself, where that has changed; whoever is asked. */
  async #tellProgress(): Promise<void> {
    const kind = this.#updates.isBlocked ? "requires-action" : "running";
    if (kind !== this.#told) await this.#tellState({ kind });
  }

  #ask(question: Approval): void {
    this.#permissions.ask(question, this.#updates.viewOf(question));
  }

  /** The arguments of calls before they run: events tell them when a person is asked, and when they have ended. */
  async #tellCalls({ messageId }: EventOf<"message-end">): Promise<void> {
    if (!this.#updates.hasUnknownInput) return;
    const { link, log } = this.#options;
    const call = {
      params: { id: this.#conversation.id },
      query: { limit: newestMessages, order: "newest" },
    } as const;
    try {
      const { messages } = await link.call((client) => client.call(routes.listMessages, call));
      const message = messages.find(({ id }) => id === messageId);
      if (message === undefined) return;
      await this.tell(this.#updates.takeCalls(message.parts));
      setTimeout(() => void this.tell(this.#updates.startUnasked()), askedWithinMs).unref();
    } catch (error) {
      log(`The arguments of a call could not be read: ${String(error)}`); // They come with its end.
    }
  }

  async #endTurn(event: EventOf<"turn-end">): Promise<void> {
    const { turnId } = event;
    const running = this.#running?.turnId === turnId ? this.#running : undefined;
    const prompt = this.#prompts.end(turnId);
    const stopReason = prompt?.isCancelled === true ? "cancelled" : stopReasonOf(event);
    const how = stopReason === undefined ? { error: turnError(event) } : { stopReason };
    const usage = running?.tokens.sum;
    if (running !== undefined) {
      this.#running = undefined;
      this.#updates.clear();
      if (running.lastUsage !== undefined) void this.news.used(running.lastUsage);
    }
    // One that ran when the session was opened has ended, too; one that was taken out of the queue was none.
    if (this.#running === undefined && this.#told !== "idle")
      await this.#tellState({ kind: "idle", end: { ...how, usage } });
    if ("error" in how) prompt?.fail(how.error);
    else prompt?.end({ ...how, ...(usage === undefined ? {} : { usage }) });
  }
}

function turnError({ status, error }: EventOf<"turn-end">): RequestError {
  if (status === "interrupted") {
    const message =
      "the host ended in the middle of the turn; what it had said is kept, and the conversation goes on";
    return RequestError.internalError({ code: "INTERRUPTED" }, message);
  }
  const { code, message } = error ?? { code: "INTERNAL", message: `the turn ended as ${status}` };
  return RequestError.internalError({ code }, message);
}
