import { KernelError, type Clock, type Log, type ServiceReference } from "@incipit/kernel";
import type { ConversationId, TurnEvent, TurnId } from "@incipit/schema";
import type { ConversationsService } from "@incipit/service-contract";
import { eventStream, eventStreamHeaders } from "./event-stream.ts";

export interface OpenStreamsOptions {
  readonly conversations: ServiceReference<ConversationsService>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signals: readonly AbortSignal[];
  /** A swap of the API must wait for this work. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export interface StreamSource {
  readonly id: ConversationId;
  readonly afterSeq: number;
  /** Ends the stream with this turn. By default it ends on a disconnect. */
  readonly turnId?: TurnId;
  readonly cut: AbortSignal | undefined;
  readonly onEnd?: (() => void) | undefined;
}

/**
 * A stream survives the replacement of its service: it continues with the next generation, without gaps or duplicates.
 * If the service is unloaded, the stream ends after its last events. When the API is unloaded, followers are
 * disconnected immediately; the stream of a turn continues to the turn's end.
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
      // The source ended without a disconnect, so its generation is over.
      const next = conversations.current;
      service = next === service ? undefined : next;
    }
  }
}

export class EncodedEvents {
  readonly #encoder = new TextEncoder();
  /** Followers of a conversation receive the same event objects. */
  readonly #known = new WeakMap<TurnEvent, Uint8Array>();

  of(event: TurnEvent): Uint8Array {
    const known = this.#known.get(event);
    if (known !== undefined) return known;
    const text = `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    const encoded = this.#encoder.encode(text);
    this.#known.set(event, encoded);
    return encoded;
  }
}
