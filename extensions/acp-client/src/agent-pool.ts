import type { Host } from "@incipit/kernel";
import type { ProgramSecrets } from "@incipit/redaction";
import type { ModelEvent, ModelRequest } from "@incipit/service-contract";
import { AgentFailure, toModelFailure } from "./agent-failure.ts";
import { ConversationAgent } from "./conversation-agent.ts";
import { atWorkEveryMs } from "./limits.ts";
import { ReplyQueue } from "./reply-queue.ts";
import type { AgentSettings } from "./settings.ts";
import type { StoredSessions } from "./stored-session.ts";

export interface AgentPoolOptions {
  readonly settings: AgentSettings;
  readonly host: Pick<Host, "spawn" | "log" | "clock">;
  readonly secrets: ProgramSecrets;
  readonly sessions: StoredSessions;
}

interface PooledAgent {
  readonly agent: ConversationAgent;
  /** Settles after the current and all earlier requests. */
  done: Promise<void>;
  isBusy: boolean;
  usedAtMs: number;
  cancelIdle: (() => void) | undefined;
}

/** One process per active conversation, so that a crash, flood or kill affects only that conversation. */
export class AgentPool {
  readonly #options: AgentPoolOptions;
  readonly #agents = new Map<string, PooledAgent>();
  #isClosed = false;

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  /** The last event is `finish` or `failure`. Ending the iteration stops the agent. */
  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const stop = new AbortController();
    const queue = new ReplyQueue();
    const work = this.#work(request, queue, stop.signal);
    const abort = (): void => stop.abort();
    if (request.signal.aborted) abort();
    else request.signal.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        const item = queue.take();
        if (item === undefined) {
          if (await this.#silence(queue, request.signal)) yield { type: "text-delta", partId: "", text: "" };
          if (!request.signal.aborted) continue;
          yield {
            type: "failure",
            error: { code: "CANCELLED", message: "The call was stopped", isRetryable: false },
          };
          return;
        }
        if ("asking" in item) {
          const { question, answered } = item.asking;
          if (request.askPermission !== undefined) answered(request.askPermission(question));
          continue;
        }
        yield item.event;
        if (item.event.type === "finish" || item.event.type === "failure") return;
      }
    } finally {
      request.signal.removeEventListener("abort", abort);
      stop.abort();
      queue.close();
      await work;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#agents.values()].map((pooled) => this.#end(pooled)));
  }

  async closeIdle(): Promise<void> {
    const idle = [...this.#agents.values()].filter(({ isBusy }) => !isBusy);
    await Promise.all(idle.map((pooled) => this.#end(pooled)));
  }

  /** Returns `true` when the wait took so long that the consumer needs a keep-alive. */
  async #silence(queue: ReplyQueue, signal: AbortSignal): Promise<boolean> {
    const over = Promise.withResolvers<boolean>();
    const abort = (): void => over.resolve(false);
    const cancel = this.#options.host.clock.setTimer(() => over.resolve(true), atWorkEveryMs);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    try {
      return await Promise.race([queue.arrived.then(() => false), over.promise]);
    } finally {
      cancel();
      signal.removeEventListener("abort", abort);
    }
  }

  /** Never rejects. */
  async #work(request: ModelRequest, queue: ReplyQueue, stop: AbortSignal): Promise<void> {
    try {
      if (request.purpose === "turn") await this.#inTurn(request, queue, stop);
      else await this.#apart(request, queue, stop);
    } catch (error) {
      const { secrets } = this.#options;
      queue.pushEvents([{ type: "failure", error: toModelFailure(error, (text) => secrets.redact(text)) }]);
    }
  }

  async #inTurn(request: ModelRequest, queue: ReplyQueue, stop: AbortSignal): Promise<void> {
    const { conversationId } = request;
    const { clock } = this.#options.host;
    const pooled = this.#agents.get(conversationId) ?? this.#new(this.#options.sessions);
    this.#agents.set(conversationId, pooled);
    const before = pooled.done;
    const answer = async (): Promise<void> => {
      await before; // A stopped request may still be ending.
      pooled.isBusy = true;
      pooled.cancelIdle?.();
      try {
        if (!pooled.agent.isRunning) await this.#makeRoom(pooled);
        await pooled.agent.answer(request, queue, stop);
      } finally {
        pooled.isBusy = false;
        pooled.usedAtMs = clock.now();
        pooled.cancelIdle = clock.setTimer(() => void this.#end(pooled), this.#options.settings.idleMs);
      }
    };
    const answered = answer();
    pooled.done = answered.catch(() => undefined); // The caller gets the error.
    await answered;
  }

  async #apart(request: ModelRequest, queue: ReplyQueue, stop: AbortSignal): Promise<void> {
    const pooled = this.#new(undefined);
    const key = `apart ${crypto.randomUUID()}`;
    this.#agents.set(key, pooled);
    pooled.isBusy = true;
    try {
      await this.#makeRoom(pooled);
      await pooled.agent.answer(request, queue, stop);
    } finally {
      this.#agents.delete(key);
      await pooled.agent.close();
    }
  }

  #new(sessions: StoredSessions | undefined): PooledAgent {
    const agent = new ConversationAgent({ ...this.#options, sessions });
    const usedAtMs = this.#options.host.clock.now();
    return { agent, done: Promise.resolve(), isBusy: false, usedAtMs, cancelIdle: undefined };
  }

  /** @throws {AgentFailure} `OVERLOADED` when all allowed processes are busy. */
  async #makeRoom(wanted: PooledAgent): Promise<void> {
    const { settings } = this.#options;
    if (this.#isClosed) throw new AgentFailure("FAILED", `The agent "${settings.name}" is not there any more`);
    const others = [...this.#agents.values()].filter((pooled) => pooled !== wanted);
    const running = others.filter(({ agent, isBusy }) => isBusy || agent.isRunning);
    if (running.length < settings.maxProcesses) return;
    const [oldest] = running.filter(({ isBusy }) => !isBusy).toSorted((a, b) => a.usedAtMs - b.usedAtMs);
    if (oldest !== undefined) {
      await this.#end(oldest);
      return;
    }
    const message = `The agent "${settings.name}" already works in ${running.length} conversations, the maximum; wait for one, or raise [agents.${settings.name}] max_processes`;
    throw new AgentFailure("OVERLOADED", message, { isRetryable: true });
  }

  async #end(pooled: PooledAgent): Promise<void> {
    pooled.cancelIdle?.();
    for (const [key, other] of this.#agents) if (other === pooled && !pooled.isBusy) this.#agents.delete(key);
    await pooled.agent.close();
  }
}
