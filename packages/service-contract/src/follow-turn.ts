import { errorMessage, waitUnlessAborted, type Clock, type ServiceReference } from "@incipit/kernel";
import {
  describeCut,
  type ConversationId,
  type CutReason,
  type Failure,
  type TurnEvent,
  type TurnId,
  type TurnStatus,
} from "@incipit/schema";
import type { ConversationsService } from "./conversations.ts";
import { codeOf, isTransient } from "./service-error.ts";

/** The orchestrator is being replaced. */
const laterMs = 1_000;

export interface TurnOutcome {
  readonly status: TurnStatus;
  readonly error: Failure | null;
  readonly reply: string;
  readonly cutReason?: CutReason;
  readonly cutExplanation?: string;
  /** Input and output, as far as reported. */
  readonly tokens: number;
}

export interface SentTurn {
  readonly conversationId: ConversationId;
  readonly turnId: TurnId;
  /** Sequence number before its first event. */
  readonly afterSeq: number;
}

/** `reply` is the text since the last step began. The next event waits for the promise. */
export type TurnWatcher = (event: TurnEvent, reply: string) => void | Promise<void>;

/**
 * Follows across replacements of the orchestrator; `undefined` if the signal aborts first. Rejects with errors of the
 * service, including transient ones.
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
    await waitUnlessAborted(laterMs, clock, signal); // The orchestrator was stopped or replaced.
  }
}

/**
 * For a turn that cannot be created or read.
 * @throws the error itself if it is transient.
 */
export function failedTurn(error: unknown): TurnOutcome {
  const code = codeOf(error);
  if (code === undefined || isTransient(error)) throw error;
  return { status: "failed", error: { code, message: errorMessage(error) }, reply: "", tokens: 0 };
}

export function cutNote({
  cutReason,
  cutExplanation,
}: Pick<TurnOutcome, "cutReason" | "cutExplanation">): string | undefined {
  return cutReason === undefined ? undefined : `(${describeCut(cutReason, cutExplanation)}.)`;
}

export function replyWithNote(outcome: Pick<TurnOutcome, "reply" | "cutReason" | "cutExplanation">): string {
  const note = cutNote(outcome);
  return note === undefined ? outcome.reply : `${outcome.reply}\n\n${note}`;
}

class TurnReader {
  #reply = "";
  #tokens = 0;
  #afterSeq: number;
  readonly #watch: TurnWatcher | undefined;

  constructor(afterSeq: number, watch: TurnWatcher | undefined) {
    this.#afterSeq = afterSeq;
    this.#watch = watch;
  }

  /** Resumes after the last event read. `undefined` if the stream ended before the turn did. */
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
