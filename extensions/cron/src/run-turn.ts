import type { Failure, TurnEvent, TurnStatus } from "@incipit/schema";
import type { ConversationsService } from "@incipit/service-contract";
import type { StoredRun } from "./stored.ts";

/** How a turn ended, and what the model said last. */
export interface TurnOutcome {
  readonly status: TurnStatus;
  readonly error: Failure | null;
  readonly reply: string;
  /** Input and output tokens of its steps, as far as the vendor reports them. */
  readonly tokens: number;
}

/** Reads the events of one turn; the last text is that of its last step. */
export class TurnReader {
  #reply = "";
  #tokens = 0;
  #afterSeq: number;

  constructor(afterSeq: number) {
    this.#afterSeq = afterSeq;
  }

  /** Goes on behind what was read; `undefined`: the events ended before the turn did. */
  async read(
    conversations: ConversationsService,
    { conversationId, turnId }: Pick<StoredRun, "conversationId" | "turnId">,
    signal: AbortSignal,
  ): Promise<TurnOutcome | undefined> {
    if (conversationId === null || turnId === null) throw new Error("A turn that was not sent has no events");
    const options = { afterSeq: this.#afterSeq, turnId, signal };
    for await (const event of conversations.follow(conversationId, options)) {
      const outcome = this.#take(event);
      if (outcome !== undefined) return outcome;
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
      case "turn-end": {
        const { status, error = null } = event;
        return { status, error, reply: this.#reply, tokens: this.#tokens };
      }
      default:
        return undefined;
    }
  }
}
