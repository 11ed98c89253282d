import { LinkedSignal, withDeadline, type Clock } from "@incipit/kernel";
import { unlessAborted } from "@incipit/common";
import type { ModelRequest } from "@incipit/service-contract";
import { methods, type ContentBlock, type RequestPermissionResponse } from "@agentclientprotocol/sdk/unstable";
import type { AgentConnection, AgentListener, AskedPermission } from "./agent-connection.ts";
import { AgentFailure } from "./agent-failure.ts";
import { promptAnswerSchema, type PromptAnswer } from "./agent-answers.ts";
import { cancelTimeoutMs } from "./limits.ts";
import { cancelled, permissionAnswer } from "./permission-answer.ts";
import type { ReplyEvents } from "./reply-events.ts";
import type { ReplyQueue } from "./reply-queue.ts";
import type { SessionUpdate } from "./session-update.ts";
import { SilenceWatch } from "./silence-watch.ts";

export interface AgentPromptOptions {
  readonly agent: string;
  readonly connection: AgentConnection;
  readonly sessionId: string;
  readonly blocks: readonly ContentBlock[];
  readonly askPermission: ModelRequest["askPermission"];
  readonly reply: ReplyEvents;
  readonly queue: ReplyQueue;
  readonly silenceTimeoutMs: number;
  readonly clock: Clock;
  /** A rejection ends the prompt without sending the line. */
  readonly leaving: (line: string) => Promise<void>;
  readonly stop: AbortSignal;
}

export class AgentPrompt implements AgentListener {
  readonly #options: AgentPromptOptions;
  readonly #silence: SilenceWatch;
  #unsent: { readonly reason: unknown } | undefined;
  #isAnswered = false;
  #isStopping = false;

  constructor(options: AgentPromptOptions) {
    this.#options = options;
    this.#silence = new SilenceWatch(options.clock, options.silenceTimeoutMs);
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  get room(): Promise<void> | undefined {
    return this.#isStopping ? undefined : this.#options.queue.room;
  }

  /**
   * A cancelled agent gets a grace period, then its process is killed.
   * @throws {AgentFailure} an error of the agent, `TIMEOUT`, or why it ended; what `leaving` has rejected with; the
   * reason of `stop`.
   */
  async run(): Promise<PromptAnswer> {
    const { agent, connection, sessionId, blocks, stop, silenceTimeoutMs } = this.#options;
    const params = { sessionId, prompt: [...blocks] };
    const never = new AbortController().signal;
    connection.listener = this;
    const asked = connection.ask(methods.agent.session.prompt, params, { signal: never });
    asked.then(
      () => (this.#isAnswered = true),
      () => (this.#isAnswered = !connection.over.aborted && this.#unsent === undefined),
    );
    using either = new LinkedSignal(stop, this.#silence.over);
    try {
      const answer = promptAnswerSchema.safeParse(await unlessAborted(asked, [either.signal]));
      if (answer.success) return answer.data;
      throw new AgentFailure(
        "BAD_RESPONSE",
        `The agent "${agent}" ended its answer without a reason; send your message again, or use another version of it`,
      );
    } catch (error) {
      if (this.#unsent !== undefined) throw this.#unsent.reason;
      if (either.signal.aborted) await this.#cancel(asked);
      if (stop.aborted || !this.#silence.over.aborted) throw error;
      const message = `The agent "${agent}" sent nothing for ${silenceTimeoutMs / 1_000} s and was stopped; [agents.${agent}] silence_timeout_seconds sets the limit`;
      throw new AgentFailure("TIMEOUT", message);
    } finally {
      this.#silence[Symbol.dispose]();
      connection.listener = undefined;
    }
  }

  update({
    sessionId,
    update,
  }: {
    readonly sessionId: string | null;
    readonly update: SessionUpdate | undefined;
  }): void {
    this.#silence.heard();
    const { reply, queue } = this.#options;
    if (this.#isStopping) return;
    if (this.#isOwn(sessionId) && update !== undefined) queue.pushEvents(reply.take(update));
  }

  permission(asked: AskedPermission): Promise<RequestPermissionResponse> {
    return this.#silence.during(this.#askPerson(asked));
  }

  async beforePrompt(line: string): Promise<void> {
    try {
      this.#options.stop.throwIfAborted();
      await this.#options.leaving(line);
    } catch (reason) {
      this.#unsent = { reason };
      throw reason;
    }
  }

  async #askPerson({ sessionId, toolCall, options }: AskedPermission): Promise<RequestPermissionResponse> {
    const { reply, queue, stop, askPermission } = this.#options;
    if (!this.#isOwn(sessionId ?? null) || stop.aborted || this.#isStopping) return cancelled;
    const { events, question } = reply.ask(toolCall);
    queue.pushEvents(events);
    if (askPermission === undefined) return permissionAnswer(options, { decision: "deny", reason: "answered" });
    const answer = Promise.withResolvers<Awaited<ReturnType<typeof askPermission>>>();
    queue.push([{ asking: { question, answered: (given) => answer.resolve(given) } }]);
    try {
      return permissionAnswer(options, await unlessAborted(answer.promise, [stop]));
    } catch (error) {
      if (stop.aborted) return cancelled;
      throw error;
    }
  }

  /** A process answers one prompt at a time, so updates without a session belong to it. */
  #isOwn(sessionId: string | null): boolean {
    return sessionId === null || sessionId === this.#options.sessionId;
  }

  async #cancel(asked: Promise<unknown>): Promise<void> {
    const { connection, sessionId, clock, queue, stop } = this.#options;
    this.#isStopping = true;
    if (stop.aborted) queue.close(); // Nothing is consumed any more, and must not block the agent.
    const settled = asked.then(
      () => undefined,
      () => undefined,
    );
    try {
      await withDeadline(
        async () => {
          await connection.cancel(sessionId);
          await settled;
        },
        { timeoutMs: cancelTimeoutMs, clock },
      );
    } catch {
      // The process is hung, and so are its other prompts.
      await connection.close(`did not stop within ${cancelTimeoutMs / 1_000} s, and was killed`);
    }
  }
}
