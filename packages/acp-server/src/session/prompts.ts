import { RequestError, type PromptResponse } from "@agentclientprotocol/sdk/unstable";
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

export interface SaidPrompt {
  readonly body: Promise<TurnBody>;
  readonly signal: AbortSignal;
}

/** The host queues and answers them in order. */
export class Prompts {
  readonly #options: PromptsOptions;
  readonly #byTurn = new Map<TurnId, Prompt>();
  readonly #sending = new Map<Prompt, Promise<void>>();
  #runningTurn: TurnId | undefined;

  constructor(options: PromptsOptions) {
    this.#options = options;
  }

  async sent(): Promise<void> {
    if (this.#sending.size > 0) await Promise.allSettled(this.#sending.values());
  }

  async answered(): Promise<void> {
    await this.sent();
    await Promise.allSettled([...this.#byTurn.values()].map(({ answer }) => answer));
  }

  isOwn(turnId: TurnId): boolean {
    return this.#byTurn.has(turnId);
  }

  /** Resolves when the turn has ended. @throws {RequestError} */
  async send({ body, signal }: SaidPrompt): Promise<PromptResponse> {
    const prompt = new Prompt();
    const sent = this.#send(prompt, body);
    this.#sending.set(prompt, sent);
    const cancel = (): void => {
      // A lost connection is not a cancellation: the turn continues.
      if (signal.reason instanceof RequestError) void this.#cancel(prompt);
    };
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      await sent;
      return await prompt.answer;
    } catch (error) {
      if (prompt.isCancelled) return { stopReason: "cancelled" };
      throw requestError(error, { sessionId: this.#options.conversationId });
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  get isIdle(): boolean {
    return this.#sending.size === 0 && this.#byTurn.size === 0;
  }

  async cancel(): Promise<void> {
    const prompts = [...this.#sending.keys(), ...this.#byTurn.values()];
    for (const prompt of prompts) prompt.isCancelled = true;
    // Queued prompts would start when the running turn ends.
    const running = prompts.filter(({ turnId }) => turnId !== undefined && turnId === this.#runningTurn);
    const waiting = prompts.filter((prompt) => !running.includes(prompt)).map((prompt) => this.#cancel(prompt));
    await Promise.allSettled([...waiting, ...this.#sending.values()]);
    await Promise.all(running.map((prompt) => this.#cancel(prompt)));
  }

  /** Stops the running turn, also if another client started it. */
  async stop(): Promise<void> {
    const { conversationId: id, link, log } = this.#options;
    try {
      await link.call((client) => client.call(routes.stopConversation, { params: { id } }));
    } catch (error) {
      log(`Cannot stop the turn: ${String(error)}`);
    }
  }

  begin(turnId: TurnId): void {
    this.#runningTurn = turnId;
  }

  /** Returns the prompt if it is one of these. */
  end(turnId: TurnId): Prompt | undefined {
    if (this.#runningTurn === turnId) this.#runningTurn = undefined;
    const prompt = this.#byTurn.get(turnId);
    this.#byTurn.delete(turnId);
    return prompt;
  }

  /** Fails all prompts, when no event will report their end. */
  failAll(error: unknown): void {
    for (const prompt of this.#byTurn.values()) prompt.fail(error);
    this.#byTurn.clear();
  }

  async #send(prompt: Prompt, given: Promise<TurnBody>): Promise<void> {
    const { conversationId: id, link } = this.#options;
    const idempotencyKey = crypto.randomUUID(); // Makes retries idempotent.
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
