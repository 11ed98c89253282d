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
import { Prompts } from "./prompts.ts";
import { SessionCommands } from "./session-commands.ts";
import { SessionInfoUpdates, type SessionNewsOptions } from "./session-info-updates.ts";
import { ValueQuestions } from "./value-questions.ts";

export interface SessionOptions {
  readonly conversation: Conversation;
  readonly afterSeq: number;
  readonly link: HostLink;
  readonly editor: Editor;
  readonly log: (line: string) => void;
}

type EventOf<Type extends TurnEvent["type"]> = Extract<TurnEvent, { type: Type }>;

/** A running turn, which any client may have started. */
interface RunningTurn {
  readonly turnId: TurnId;
  readonly tokens: TurnTokens;
  lastUsage: Usage | undefined;
  isLookedAt: boolean;
}

const newestMessages = 5;

/** No event reports that a call runs: one without an approval request by then does. */
const askedWithinMs = 200;

/** Events are in order, including those of other clients; a prompt is answered when its own turn has ended. */
export class Session {
  readonly #options: SessionOptions;
  readonly #updates: TurnUpdates;
  readonly #permissions: Permissions;
  readonly #questions: ValueQuestions;
  readonly #prompts: Prompts;
  readonly #commands: SessionCommands;
  readonly #compactions: CompactionUpdates;
  readonly #notices: NoticeUpdates;
  readonly news: SessionInfoUpdates;
  /** Serialized: prompts are sent in order even if some take longer to prepare. */
  #read: Promise<unknown> = Promise.resolve();
  readonly #closed = new AbortController();
  #paused: AbortController | undefined;
  /** Serialized: each event is reported once and in order. */
  #followed: Promise<void> = Promise.resolve();
  #afterSeq: number;
  readonly #conversation: Conversation;
  /** Working folder, which other clients may change. */
  #cwd: string;
  #running: RunningTurn | undefined;
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
    this.news = new SessionInfoUpdates({ conversation, link, tell, log });
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get isFollowing(): boolean {
    return this.#paused?.signal.aborted === false;
  }

  /** Continues after the last reported event. @throws {ApiClientError} if the conversation is deleted. */
  follow(): Promise<void> {
    const paused = new AbortController();
    this.#paused = paused;
    const before = this.#followed;
    const followed = before.then(() => this.#follow(paused.signal));
    this.#followed = followed.catch(() => undefined); // The caller handles the rejection.
    return followed;
  }

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

  /** Resolves when the prompt's turn has ended. */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    const typed = blocks.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    const body = this.#read.then(async () => {
      await this.#lookAtFolder();
      return this.#commands.bodyOf(turnInput(blocks, { cwd: this.#cwd }), typed);
    });
    this.#read = body.catch(() => undefined); // The sender handles the rejection.
    return this.#prompts.send({ body, signal });
  }

  /** Never rejects. */
  async tellCommands(): Promise<void> {
    try {
      const availableCommands = await this.#commands.available();
      await this.tell([{ sessionUpdate: "available_commands_update", availableCommands }]);
    } catch (error) {
      this.#options.log(`The commands could not be listed: ${String(error)}`);
    }
  }

  /** Without own prompts, cancels the turn of another client. */
  cancel(): Promise<void> {
    return this.#prompts.isIdle ? this.#prompts.stop() : this.#prompts.cancel();
  }

  async end(): Promise<void> {
    await this.#prompts.cancel();
    await this.#prompts.answered();
    this.close();
  }

  get isIdle(): boolean {
    return this.#prompts.isIdle;
  }

  /** Requests and questions from before the session. */
  askOpen(): void {
    for (const approval of this.#conversation.approvals) this.#ask(approval);
    for (const question of this.#conversation.questions) this.#questions.ask(question);
  }

  tell(updates: readonly SessionUpdate[]): Promise<void> {
    return this.#options.editor.tell(this.#conversation.id, updates);
  }

  /** Running turns continue. */
  close(): void {
    this.#closed.abort();
    this.#permissions.close();
    this.#questions.close();
  }

  /**
   * For a host that ends with its editor. Permission requests are denied, so that the model continues without the
   * calls.
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
        await this.#prompts.sent(); // The response to the prompt names the owner of the turn.
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
      case "tool-call-end":
        return this.tell(this.#updates.take(event));
      case "message-end":
        return this.#tellCalls(event);
      case "approval-request":
        await this.tell(this.#updates.take(event));
        if (!this.#prompts.isOwn(event.turnId)) return; // Only the client that started the turn shows the request.
        if (this.#isLeft) await this.#permissions.deny(event.approvalId);
        else this.#ask(event);
        return;
      case "approval-end":
        this.#permissions.end(event.approvalId);
        return this.tell(this.#updates.take(event));
      case "question-request":
        await this.tell(this.#updates.take(event));
        if (!this.#prompts.isOwn(event.turnId)) return;
        if (this.#isLeft) await this.#questions.cancel(event.questionId);
        else this.#questions.ask(event);
        return;
      case "question-end":
        this.#questions.end(event.questionId);
        return this.tell(this.#updates.take(event));
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
        return this.tell(this.#compactions.take(event));
      case "compaction-end":
        if (event.usage !== undefined) this.#running?.tokens.add(event.usage);
        return this.tell(this.#compactions.take(event));
    }
  }

  async #begin({ turnId, input }: EventOf<"turn-start">): Promise<void> {
    this.#running = {
      turnId,
      tokens: new TurnTokens(),
      lastUsage: undefined,
      isLookedAt: false,
    };
    this.#prompts.begin(turnId);
    const isOwn = this.#prompts.isOwn(turnId);
    await this.#lookAtFolder();
    if (isOwn) return; // The editor already shows its own prompt.
    const content = { type: "text", text: input } as const;
    await this.tell([{ sessionUpdate: "user_message_chunk", content, messageId: turnId }]);
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

  /** Called after the first text of a turn, which must not be delayed. */
  #lookOnce(): void {
    if (this.#running === undefined || this.#running.isLookedAt) return;
    this.#running.isLookedAt = true;
    void this.news.look();
  }

  #ask(question: Approval): void {
    this.#permissions.ask(question, this.#updates.viewOf(question));
  }

  /** Events have the arguments only with a permission request or at the end. */
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
      log(`The arguments of a call could not be read: ${String(error)}`); // The end of the call reports them too.
    }
  }

  #endTurn(event: EventOf<"turn-end">): void {
    const { turnId } = event;
    const running = this.#running?.turnId === turnId ? this.#running : undefined;
    const prompt = this.#prompts.end(turnId);
    const usage = running?.tokens.sum;
    if (running !== undefined) {
      this.#running = undefined;
      this.#updates.clear();
      if (running.lastUsage !== undefined) void this.news.used(running.lastUsage);
    }
    const stopReason = prompt?.isCancelled === true ? "cancelled" : stopReasonOf(event);
    if (stopReason === undefined) prompt?.fail(turnError(event));
    else prompt?.end({ stopReason, ...(usage === undefined ? {} : { usage }) });
  }
}

function turnError({ status, error }: EventOf<"turn-end">): RequestError {
  if (status === "interrupted") {
    const message = "the host stopped during the turn; the partial reply is kept, and you can continue";
    return RequestError.internalError({ code: "INTERRUPTED" }, message);
  }
  const { code, message } = error ?? { code: "INTERNAL", message: `the turn ended as ${status}` };
  return RequestError.internalError({ code }, message);
}
