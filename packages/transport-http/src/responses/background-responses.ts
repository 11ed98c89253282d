import { KernelError, withDeadline, type ServiceReference } from "@incipit/kernel";
import { ServiceError, type ModelCallRequest } from "@incipit/service-contract";
import type { ResponseObject, ResponseStreamEvent } from "@incipit/transport-contract";
import type { GivenItem } from "../client-conversations/client-items.ts";
import type { LockedConversation } from "../client-conversations/locked-conversation.ts";
import { need, type Services } from "../context/services.ts";
import { BackgroundResponse } from "./background-response.ts";
import type { BackgroundHandoff } from "./background-handoff.ts";
import type { TokenOwner } from "../request/caller.ts";
import { named } from "./new-response.ts";
import { toJson, type StoredResponse } from "./stored-response.ts";

const maxRunning = 16;

const stopTimeoutMs = 5_000;

/** Leaves time for other extensions while the host stops. */
const closeTimeoutMs = 1_500;

export interface NewBackgroundResponse {
  readonly owner: TokenOwner;
  readonly call: ModelCallRequest;
  readonly input: readonly GivenItem[];
  /** Released after the start. */
  readonly held?: LockedConversation | undefined;
  readonly response: ResponseObject;
  readonly over: AbortSignal | undefined;
  /** Stops it until the client knows its id. */
  readonly signal: AbortSignal;
}

/** Includes those of the previous generation while it drains. */
export class BackgroundResponses implements BackgroundHandoff {
  readonly #services: Services;
  readonly #before: ServiceReference<BackgroundHandoff>;
  readonly #running = new Map<string, BackgroundResponse>();
  readonly #beginning = new Map<TokenOwner, number>();
  #isClosed = false;

  constructor(services: Services, before: ServiceReference<BackgroundHandoff>) {
    this.#services = services;
    this.#before = before;
  }

  /**
   * The returned response is stored and can be found by its id.
   * @throws {ServiceError} the error of the call; `TOO_MANY_RUNNING`.
   */
  async start(asked: NewBackgroundResponse): Promise<ResponseObject> {
    const { owner } = asked;
    const before = (await this.#ofBefore((before) => before.count(owner))) ?? 0;
    const beginning = this.#beginning.get(owner) ?? 0;
    if (this.#isClosed) throw new ServiceError("SERVICE_UNAVAILABLE", "The host is stopping; ask again later");
    if (this.#own(owner) + beginning + before >= maxRunning) {
      const message = `${maxRunning} responses of this token already run in the background, the maximum: wait until one has ended, or cancel one`;
      throw new ServiceError("TOO_MANY_RUNNING", message);
    }
    this.#beginning.set(owner, beginning + 1);
    try {
      const { base, running } = await this.#begin(asked);
      this.#running.set(base.id, running); // In the same tick as the update of the number of starting ones.
      if (this.#isClosed) void running.interrupt();
      this.#services.waitUntil(running.done.finally(() => this.#running.delete(base.id)));
      return base;
    } finally {
      const others = (this.#beginning.get(owner) ?? 1) - 1;
      if (others === 0) this.#beginning.delete(owner);
      else this.#beginning.set(owner, others);
    }
  }

  async find(id: string): Promise<StoredResponse | undefined> {
    return this.#running.get(id)?.current ?? this.#ofBefore((before) => before.find(id));
  }

  async newest(id: string): Promise<number | undefined> {
    return this.#running.get(id)?.newest ?? this.#ofBefore((before) => before.newest(id));
  }

  follow(id: string, after: number): AsyncIterable<ResponseStreamEvent> {
    return this.#running.get(id)?.follow(after) ?? this.#before.current?.follow(id, after) ?? none();
  }

  async cancel(id: string, options: { readonly isForgotten: boolean }): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) return this.#ofBefore((before) => before.cancel(id, options));
    const { clock } = this.#services;
    const stop = (): Promise<void> => (options.isForgotten ? running.forget() : running.cancel());
    return withDeadline(stop, { timeoutMs: stopTimeoutMs, clock });
  }

  async count(owner: TokenOwner): Promise<number> {
    return this.#own(owner) + (this.#beginning.get(owner) ?? 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = Promise.all([...this.#running.values()].map((running) => running.interrupt()));
    await withDeadline(() => ended, { timeoutMs: closeTimeoutMs, clock: this.#services.clock });
  }

  async #begin({
    owner,
    call,
    input,
    held,
    response,
    over,
    signal,
  }: NewBackgroundResponse): Promise<{ readonly base: ResponseObject; readonly running: BackgroundResponse }> {
    const { calls, log } = this.#services;
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    const keepFromStart = toJson({ kind: "response", owner, input: [...input], response, said: [] });
    const said = need(calls, "session orchestrator").call(call, { signal: stop.signal, keepFromStart });
    const events = said[Symbol.asyncIterator]();
    const start = await events.next().finally(() => signal.removeEventListener("abort", abort));
    if (start.done === true || start.value.type !== "call-start")
      throw new TypeError("A model call did not begin with its id");
    const { callId, model } = start.value;
    const base = named(response, { callId, model });
    const running = new BackgroundResponse({ owner, input, held, base, events, stop, over, calls, log });
    return { base, running };
  }

  /** `undefined` without a previous generation or after an interruption, in which case the results are stored. */
  async #ofBefore<Result>(ask: (before: BackgroundHandoff) => Promise<Result>): Promise<Result | undefined> {
    const before = this.#before.current;
    try {
      return before && (await ask(before));
    } catch (error) {
      if (KernelError.is(error) && error.code === "GENERATION_GONE") return undefined;
      throw error;
    }
  }

  #own(owner: TokenOwner): number {
    return [...this.#running.values()].filter((running) => running.owner === owner).length;
  }
}

async function* none(): AsyncGenerator<never> {}
