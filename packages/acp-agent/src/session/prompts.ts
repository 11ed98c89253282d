import { RequestError, type ContentBlock, type PromptResponse } from "@agentclientprotocol/sdk/unstable";
import type { ConversationId, TurnBody, TurnId } from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import type { HostLink } from "../host/host-link.ts";
import { requestError } from "../host/request-error.ts";
import { Prompt } from "./prompt.ts";

export interface PromptsOptions {
  readonly conversationId: ConversationId;
  readonly link: HostLink;
  readonly log: (line: string) => void;
}

/** What an editor says. */
export interface SaidPrompt {
  readonly blocks: readonly ContentBlock[];
  /** What the host is sent of it, once that is known. */
  readonly body: Promise<TurnBody>;
  /** Its request was taken back, or the connection has ended. */
  readonly signal: AbortSignal;
}

/**
 * What one editor has said in a conversation and was not answered yet. The host takes all of it and answers in its order: a
 * prompt that comes while another one runs waits for that one's turn.
 */
export class Prompts {
  readonly #options: PromptsOptions;
  readonly #byTurn = new Map<TurnId, Prompt>();
  /** Those of which it is not known yet which turn they are. */
  readonly #sending = new Map<Prompt, Promise<void>>();
  #runningTurn: TurnId | undefined;

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  /** Resolves when it is known of all that was sent which turns they are. */
  async sent(): Promise<void> {
    if (this.#sending.size > 0) await Promise.allSettled(this.#sending.values());
  }

  /** Resolves when all of them were answered. */
  async answered(): Promise<void> {
    await this.sent();
    await Promise.allSettled([...this.#byTurn.values()].map(({ answer }) => answer));
  }

  isOwn(turnId: TurnId): boolean {
    return this.#byTurn.has(turnId);
  }

  /** Sends a message; resolves when its turn has ended. @throws {RequestError} */
  async send(said: SaidPrompt): Promise<PromptResponse> {
    const prompt = new Prompt(said.blocks);
    try {
      return await this.#sendUntil(prompt, said, prompt.answer);
    } catch (error) {
      if (prompt.isCancelled) return { stopReason: "cancelled" };
      throw error;
    }
  }

  /** Sends a message; resolves when its turn has begun. @throws {RequestError} Request cancelled, before it has. */
  async insert(said: SaidPrompt): Promise<TurnId> {
    const prompt = new Prompt(said.blocks);
    try {
      return await this.#sendUntil(prompt, said, prompt.begun);
    } catch (error) {
      throw prompt.isCancelled ? RequestError.requestCancelled() : error;
    }
  }

  async #sendUntil<Reached>(
    prompt: Prompt,
    { body, signal }: SaidPrompt,
    reached: Promise<Reached>,
  ): Promise<Reached> {
    const sent = this.#send(prompt, body);
    this.#sending.set(prompt, sent);
    const cancel = (): void => {
      // That a connection has ended is nobody's wish: the turn goes on.
      if (signal.reason instanceof RequestError) void this.#cancel(prompt);
    };
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      await sent;
      return await reached;
    } catch (error) {
      throw requestError(error, { sessionId: this.#options.conversationId });
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  get isIdle(): boolean {
    return this.#sending.size === 0 && this.#byTurn.size === 0;
  }

  /** Ends what was asked for. */
  async cancel(): Promise<void> {
    const prompts = [...this.#sending.keys(), ...this.#byTurn.values()];
    for (const prompt of prompts) prompt.isCancelled = true;
    // What waits, or is being sent, is taken out first: it would begin when what runs ends.
    const running = prompts.filter(({ turnId }) => turnId !== undefined && turnId === this.#runningTurn);
    const waiting = prompts.filter((prompt) => !running.includes(prompt)).map((prompt) => this.#cancel(prompt));
    await Promise.allSettled([...waiting, ...this.#sending.values()]);
    await Promise.all(running.map((prompt) => this.#cancel(prompt)));
  }

  /** Ends what runs, whoever has begun it. */
  async stop(): Promise<void> {
    const { conversationId: id, link, log } = this.#options;
    try {
      await link.call((client) => client.call(routes.stopConversation, { params: { id } }));
    } catch (error) {
      log(`What runs could not be stopped: ${String(error)}`);
    }
  }

  /** A turn has begun, whosever it is; gives the prompt that it is for. */
  begin(turnId: TurnId): Prompt | undefined {
    this.#runningTurn = turnId;
    const prompt = this.#byTurn.get(turnId);
    prompt?.begin(turnId);
    return prompt;
  }

  /** A turn is over; gives the prompt that it was for. */
  end(turnId: TurnId): Prompt | undefined {
    if (this.#runningTurn === turnId) this.#runningTurn = undefined;
    const prompt = this.#byTurn.get(turnId);
    this.#byTurn.delete(turnId);
    return prompt;
  }

  /** Nobody will say how they end. */
  failAll(error: unknown): void {
    for (const prompt of this.#byTurn.values()) prompt.fail(error);
    this.#byTurn.clear();
  }

  async #send(prompt: Prompt, given: Promise<TurnBody>): Promise<void> {
    const { conversationId: id, link } = this.#options;
    const idempotencyKey = crypto.randomUUID(); // Sent again with it, it is still one message.
    try {
      const body = await given;
      const turnId = await link.call(async (client) => {
        for await (const event of client.sendTurn(id, body, { idempotencyKey })) return event.turnId;
        throw new ApiClientError("UNREACHABLE", "The host closed the stream", { status: 0 });
      });
      prompt.turnId = turnId;
      this.#byTurn.set(turnId, prompt);
    } finally {
      this.#sending.delete(prompt);
    }
    if (prompt.isCancelled) await this.#cancelTurn(prompt, prompt.turnId);
  }

  async #cancel(prompt: Prompt): Promise<void> {
    prompt.isCancelled = true;
    if (prompt.turnId !== undefined) await this.#cancelTurn(prompt, prompt.turnId);
  }

  async #cancelTurn(prompt: Prompt, turnId: TurnId): Promise<void> {
    const { conversationId: id, link, log } = this.#options;
    if (prompt.isAnswered) return;
    if (this.#runningTurn === turnId) return this.stop();
    try {
      await link.call((client) => client.call(routes.removeQueuedTurn, { params: { id, turnId } }));
    } catch (error) {
      const hasBegun = error instanceof ApiClientError && error.code === "TURN_NOT_QUEUED";
      if (!hasBegun) log(`A prompt could not be cancelled: ${String(error)}`);
      else if (!prompt.isAnswered) await this.stop();
    }
  }
}
