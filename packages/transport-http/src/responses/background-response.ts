import { errorMessage, type ServiceReference, type Log } from "@incipit/kernel";
import type { ModelCallEvent, ModelCallsService } from "@incipit/service-contract";
import {
  openAiErrorOf,
  openAiErrorOfFailure,
  type ResponseObject,
  type ResponseStreamEvent,
} from "@incipit/transport-contract";
import type { ReplyDelta } from "@incipit/wire";
import { isReplyEvent } from "../calls/answer-call.ts";
import type { GivenItem } from "../client-conversations/client-items.ts";
import { itemsOf, type LockedConversation } from "../client-conversations/locked-conversation.ts";
import { need } from "../context/services.ts";
import { interrupted } from "./interrupted.ts";
import { ResponseWriter, type ResponseEnd } from "./response-writer.ts";
import { toKept } from "./said.ts";
import type { TokenOwner } from "../request/caller.ts";
import { keepResponse, type StoredResponse } from "./stored-response.ts";

export interface BackgroundResponseOptions {
  readonly owner: TokenOwner;
  readonly input: readonly GivenItem[];
  readonly held?: LockedConversation | undefined;
  readonly base: ResponseObject;
  readonly events: AsyncIterator<ModelCallEvent>;
  readonly stop: AbortController;
  /** Aborts when the caller's token ends, which stops the response. */
  readonly over: AbortSignal | undefined;
  readonly calls: ServiceReference<ModelCallsService>;
  readonly log: Log;
}

/**
 * Followers get each event with the same number, at any time. The first of its own end, `cancel`, the token's end and
 * the host's end determines the result, which followers receive after the commit; if the commit fails, so does the
 * response.
 */
export class BackgroundResponse {
  readonly #options: BackgroundResponseOptions;
  readonly #writer: ResponseWriter;
  readonly #said: ReplyDelta[] = [];
  readonly #stopped = Promise.withResolvers<ResponseEnd>();
  #grown = Promise.withResolvers<void>();
  #ended: ResponseObject | undefined;
  #isEnding = false;
  #isForgotten = false;
  readonly done: Promise<void>;

  constructor(options: BackgroundResponseOptions) {
    this.#options = options;
    this.#writer = new ResponseWriter({ base: options.base });
    this.#writer.begin();
    this.done = this.#run();
  }

  get owner(): TokenOwner {
    return this.#options.owner;
  }

  get current(): StoredResponse {
    const { owner, input } = this.#options;
    const response = this.#ended ?? this.#writer.soFar;
    return { kind: "response", owner, input: [...input], response, said: [] };
  }

  get newest(): number {
    return this.#writer.count - 1;
  }

  /** Resolves when its end, for any reason, is stored. */
  async cancel(): Promise<void> {
    this.#end({ type: "cancelled" });
    await this.done;
  }

  /** Cancels the response and stores nothing more. */
  async forget(): Promise<void> {
    this.#isForgotten = true;
    await this.cancel();
  }

  async interrupt(): Promise<void> {
    this.#end(interrupted);
    await this.done;
  }

  async *follow(after: number): AsyncGenerator<ResponseStreamEvent> {
    const writer = new ResponseWriter({ base: this.#options.base });
    const isNew = ({ sequence_number: number }: ResponseStreamEvent): boolean => number > after;
    yield* writer.begin().filter(isNew);
    for (let index = 0; ;) {
      const grown = this.#grown.promise;
      for (let said = this.#said[index]; said !== undefined; said = this.#said[(index += 1)])
        yield* writer.take(said).filter(isNew);
      if (this.#ended !== undefined && index === this.#said.length) {
        yield* writer.last(this.#ended).filter(isNew);
        return;
      }
      if (this.#ended === undefined) await grown;
    }
  }

  async #run(): Promise<void> {
    const { over, events } = this.#options;
    const endToken = (): void => this.#end(tokenOver);
    over?.addEventListener("abort", endToken, { once: true });
    if (over?.aborted === true) endToken();
    try {
      const end = await this.#take();
      this.#isEnding = true;
      await this.#conclude(end);
    } finally {
      over?.removeEventListener("abort", endToken);
      this.#options.stop.abort();
      events.return?.()?.catch(() => undefined); // The call records its own end.
    }
  }

  async #take(): Promise<ResponseEnd> {
    try {
      for (;;) {
        const next = this.#options.events.next();
        const came = await Promise.race([this.#stopped.promise, next]);
        if ("type" in came) {
          next.catch(() => undefined); // The call is stopped as well.
          return came;
        }
        const { value: event } = came;
        if (event === undefined) return interrupted;
        if (event.type === "finish") return event;
        if (event.type === "failure") {
          const { code, message } = openAiErrorOfFailure(event.error.code, event.error.message).error;
          return { type: "failure", code: code ?? "server_error", message };
        }
        if (!isReplyEvent(event)) continue;
        this.#said.push(event);
        this.#writer.take(event);
        this.#tell();
      }
    } catch (error) {
      // The orchestrator was replaced or unloaded and could not wait any longer.
      return { ...interrupted, message: `${interrupted.message} (${errorMessage(error)})` };
    }
  }

  async #conclude(end: ResponseEnd): Promise<void> {
    const { calls, log, held, input } = this.#options;
    const response = this.#writer.conclude(end);
    let ended = response;
    try {
      const stored: StoredResponse = { ...this.current, response, said: toKept(this.#said) };
      if (end.type === "finish") await held?.append(itemsOf(input, response));
      if (!this.#isForgotten) await keepResponse(need(calls, "session orchestrator"), stored);
    } catch (error) {
      log.error("A response in the background could not be stored", {
        responseId: response.id,
        error: errorMessage(error),
      });
      const message = `Its end could not be stored: ${errorMessage(error)}`;
      ended = { ...response, status: "failed", error: { code: "storage_failed", message } };
    }
    held?.letGo();
    this.#ended = ended;
    this.#writer.last(ended);
    this.#tell();
  }

  #end(end: ResponseEnd): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#stopped.resolve(end);
    this.#options.stop.abort();
  }

  #tell(): void {
    this.#grown.resolve();
    this.#grown = Promise.withResolvers();
  }
}

const tokenOver: ResponseEnd = {
  type: "failure",
  code: openAiErrorOf("UNAUTHORIZED", "").error.code ?? "invalid_api_key",
  message: "The token that requested it expired or was revoked: the model was stopped",
};
