import type { Clock, Log, ServiceReference } from "@incipit/kernel";
import type { ConversationsService } from "@incipit/service-contract";
import type { TurnEvent } from "@incipit/transport-contract";
import { eventStream, eventStreamHeaders } from "./event-stream.ts";

/** A service that is going ends what it streams by itself; one that has not by then will not. */
const goneMs = 5_000;

export interface OpenStreamsOptions {
  readonly conversations: ServiceReference<ConversationsService>;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when the API itself is going. */
  readonly signal: AbortSignal;
}

interface StreamSource {
  readonly service: ConversationsService;
  /** `turn` ends by itself; `follow` ends when somebody leaves. */
  readonly kind: "turn" | "follow";
}

/**
 * The event streams that clients hold open.
 *
 * - When the service of a stream has gone, the stream has 5 s to bring its last event, then it is closed.
 * - When the API is going, followers are let go at once: they come back with the number of their last event.
 */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #sources = new Map<AbortController, StreamSource>();

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
    const { conversations, clock, signal } = options;
    conversations.onChange(() => {
      clock.setTimer(() => this.#close(({ service }) => service !== conversations.current), goneMs);
    });
    signal.addEventListener("abort", () => this.#close(({ kind }) => kind === "follow"), { once: true });
  }

  get size(): number {
    return this.#sources.size;
  }

  open(source: StreamSource, follow: (signal: AbortSignal) => AsyncIterable<TurnEvent>): Response {
    const { clock, log } = this.#options;
    const abort = new AbortController();
    this.#sources.set(abort, source);
    return eventStream(follow(abort.signal), {
      clock,
      abort,
      onEnd: (failure) => {
        this.#sources.delete(abort);
        if (failure === undefined) return;
        const error = failure instanceof Error ? failure.message : "not an error";
        log.error("A stream of events was cut off", { error });
      },
    });
  }

  headersAlone(): Response {
    return new Response(null, { headers: eventStreamHeaders });
  }

  #close(isMeant: (source: StreamSource) => boolean): void {
    for (const [abort, source] of this.#sources) if (isMeant(source)) abort.abort();
  }
}
