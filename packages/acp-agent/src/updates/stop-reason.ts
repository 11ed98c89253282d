import type { StopReason, Usage as TurnUsage } from "@agentclientprotocol/sdk/unstable";
import type { FinishReason, TurnEvent, Usage } from "@incipit/schema";

type TurnEnd = Extract<TurnEvent, { type: "turn-end" }>;

/** How a turn ended, where the protocol has a word for it; `undefined`: it failed. */
export function stopReasonOf(
  { status, error }: Pick<TurnEnd, "status" | "error">,
  lastFinish: FinishReason | undefined,
): StopReason | undefined {
  if (status === "cancelled") return "cancelled";
  // The host's bound of model calls in a turn.
  if (status === "failed" && error?.code === "MAX_STEPS") return "max_turn_requests";
  // A filter may leave nothing of a reply; that fails the turn, and is a refusal all the same.
  if (lastFinish === "content-filter" && status !== "interrupted") return "refusal";
  if (status !== "completed") return undefined;
  return lastFinish === "length" ? "max_tokens" : "end_turn";
}

/** The tokens of a turn: the sum of its steps, as far as the vendor has reported them. */
export class TurnTokens {
  #hasAny = false;
  #input = 0;
  #output = 0;
  #thought = 0;
  #cacheRead = 0;
  #cacheWrite = 0;

  add({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens = 0 }: Usage): void {
    if (inputTokens === null && outputTokens === null) return;
    this.#hasAny = true;
    this.#input += inputTokens ?? 0;
    this.#output += outputTokens ?? 0;
    this.#thought += reasoningTokens;
    this.#cacheRead += cacheReadTokens ?? 0;
    this.#cacheWrite += cacheWriteTokens ?? 0;
  }

  /** `undefined`: nothing was reported. */
  get sum(): TurnUsage | undefined {
    if (!this.#hasAny) return undefined;
    return {
      totalTokens: this.#input + this.#output,
      inputTokens: this.#input,
      outputTokens: this.#output,
      thoughtTokens: this.#thought,
      cachedReadTokens: this.#cacheRead,
      cachedWriteTokens: this.#cacheWrite,
    };
  }
}
