import type { ConversationId, CutReason, Failure, TurnEvent, TurnId, TurnStatus } from "@incipit/schema";
import { waitUnlessAborted, type Clock, type ServiceReference } from "@incipit/kernel";
import type { ConversationsService } from "@incipit/service-contract";

/** Until another orchestrator has taken over. */
const laterMs = 1_000;

/** How a turn ended, and what the model said last. */
export interface TurnOutcome {
  readonly status: TurnStatus;
  readonly error: Failure | null;
  readonly reply: string;
  /** Why the reply is not whole, where the turn was completed. */
  readonly cutReason?: CutReason;
  /** The vendor's own words for it. */
  readonly cutExplanation?: string;
  /** Input and output tokens of its steps, as far as the vendor reports them. */
  readonly tokens: number;
}

/** A turn that was begun or queued. */
export interface SentTurn {
  readonly conversationId: ConversationId;
  readonly turnId: TurnId;
  /** A number before its first event. */
  readonly afterSeq: number;
}

/** Is told what happens on the way, with what the model has said since its last step began; the next event waits for it. */
export type TurnWatcher = (event: TurnEvent, reply: string) => void | Promise<void>;

/**
 * Reads a turn to its end, also while orchestrators change; `undefined`: the signal has aborted first. Rejects as the
 * service does, with what passes too.
 */
export async function followTurn(
  {
    conversations,
    clock,
    signal,
  }: {
    readonly conversations: ServiceReference<ConversationsService>;
    readonly clock: Clock;
    readonly signal: AbortSignal;
  },
  sent: SentTurn,
  watch?: TurnWatcher,
): Promise<TurnOutcome | undefined> {
  const reader = new TurnReader(sent.afterSeq, watch);
  for (;;) {
    const outcome = await reader.read(conversations.get(), sent, signal);
    if (outcome !== undefined || signal.aborted) return outcome;
    await waitUnlessAborted(laterMs, clock, signal); // The orchestrator stops, or another one takes over.
  }
}

/** Reads the events of one turn; the last text is that of its last step. */
class TurnReader {
  #reply = "";
  #tokens = 0;
  #afterSeq: number;
  readonly #watch: TurnWatcher | undefined;

  constructor(afterSeq: number, watch: TurnWatcher | undefined) {
    this.#afterSeq = afterSeq;
    this.#watch = watch;
  }

  /** Goes on behind what was read; `undefined`: the events ended before the turn did. */
  async read(
    conversations: ConversationsService,
    { conversationId, turnId }: SentTurn,
    signal: AbortSignal,
  ): Promise<TurnOutcome | undefined> {
    const options = { afterSeq: this.#afterSeq, turnId, signal };
    for await (const event of conversations.follow(conversationId, options)) {
      const outcome = this.#take(event);
      if (outcome !== undefined) return outcome;
      await this.#watch?.(event, this.#reply);
    }
    return undefined;
  }

  #take(event: TurnEvent): TurnOutcome | undefined {
    this.#afterSeq = event.seq;
    switch (event.type) {
      case "step-start":
        this.#reply = "";
        return undefined;
      case "text-delta":
        this.#reply += event.text;
        return undefined;
      case "step-end":
        this.#tokens += (event.usage.inputTokens ?? 0) + (event.usage.outputTokens ?? 0);
        return undefined;
      case "compaction-end":
        this.#tokens += (event.usage?.inputTokens ?? 0) + (event.usage?.outputTokens ?? 0);
        return undefined;
      case "turn-end": {
        const { status, error = null, cutReason, cutExplanation } = event;
        const cut = {
          ...(cutReason === undefined ? {} : { cutReason }),
          ...(cutExplanation === undefined ? {} : { cutExplanation }),
        };
        return { status, error, reply: this.#reply, ...cut, tokens: this.#tokens };
      }
      default:
        return undefined;
    }
  }
}
