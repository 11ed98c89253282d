import { KernelError, type Clock, type Log, type ServiceReference } from "@incipit/kernel";
import type { ConversationId, TurnEvent, TurnId } from "@incipit/schema";
import type { ConversationsService } from "@incipit/service-contract";
import { EncodedEvents } from "./encoded-events.ts";
import { eventStream, eventStreamHeaders } from "./event-stream.ts";

export interface OpenStreamsOptions {
  readonly conversations: ServiceReference<ConversationsService>;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when the API itself is going, or another generation of it has come. */
  readonly signals: readonly AbortSignal[];
  /** Work that a swap of the API has to wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export interface StreamSource {
  readonly id: ConversationId;
  /** The newest event that the client has. */
  readonly afterSeq: number;
  /** Its own turn, with which the stream ends; absent: it ends when somebody leaves. */
  readonly turnId?: TurnId;
  /** Cuts it when it aborts: whoever follows may not any more. `undefined`: that does not happen. */
  readonly cut: AbortSignal | undefined;
  /** Called once, when the stream is over. */
  readonly onEnd?: (() => void) | undefined;
}

/**
 * The event streams that clients hold open.
 *
 * - A stream outlives the generation of the service that it began with: it goes on in the next one, without a gap or a
 *   repeat. When nobody provides the service any more, it ends with what the last one had to say.
 * - Whoever may not follow any more is cut off.
 * - When the API is going, followers are let go at once: they come back with the number of their last event. The stream
 *   of a turn goes on to the turn's end.
 */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #encoded = new EncodedEvents();
  readonly #followers = new Set<AbortController>();

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
    const letGo = (): void => {
      for (const abort of this.#followers) abort.abort();
    };
    for (const signal of options.signals) signal.addEventListener("abort", letGo, { once: true });
  }

  open(source: StreamSource): Response {
    const { clock, log, signals, waitUntil } = this.#options;
    const abort = new AbortController();
    const over = Promise.withResolvers<void>();
    if (source.turnId === undefined) {
      if (signals.some(({ aborted }) => aborted)) abort.abort();
      else this.#followers.add(abort);
    }
    waitUntil(over.promise);
    return eventStream(this.#events(source, abort.signal), {
      clock,
      encode: (event) => this.#encoded.of(event),
      abort,
      cut: source.cut,
      onEnd: (failure) => {
        this.#followers.delete(abort);
        source.onEnd?.();
        over.resolve();
        if (failure === undefined) return;
        const error = failure instanceof Error ? failure.message : "not an error";
        log.error("A stream of events was cut off", { error });
      },
    });
  }

  headersAlone(): Response {
    return new Response(null, { headers: eventStreamHeaders });
  }

  async *#events({ id, afterSeq, turnId }: StreamSource, signal: AbortSignal): AsyncGenerator<TurnEvent> {
    const { conversations } = this.#options;
    const ofTurn = turnId === undefined ? {} : { turnId };
    let newest = afterSeq;
    let service = conversations.current;
    while (service !== undefined && !signal.aborted) {
      try {
        for await (const event of service.follow(id, { afterSeq: newest, signal, ...ofTurn })) {
          newest = event.seq;
          yield event;
          if (event.turnId === turnId && event.type === "turn-end") return;
        }
      } catch (error) {
        if (!KernelError.is(error) || error.code !== "GENERATION_GONE") throw error;
      }
      // It had no more to say although nobody left: its generation is over. Perhaps another one has come.
      const next = conversations.current;
      service = next === service ? undefined : next;
    }
  }
}
