import type { StopReason, Usage as TurnUsage } from "@agentclientprotocol/sdk/unstable";
import type { CutReason, TurnEvent, Usage } from "@incipit/schema";

type TurnEnd = Extract<TurnEvent, { type: "turn-end" }>;

/** How a turn ended, where the protocol has a word for it; `undefined`: it failed. */
export function stopReasonOf({
  status,
  error,
  cutReason,
}: Pick<TurnEnd, "status" | "error" | "cutReason">): StopReason | undefined {
  if (status === "cancelled") return "cancelled";
  if (status === "failed") return failures.get(error?.code ?? "");
  if (status !== "completed") return undefined;
  return cutReason === undefined ? "end_turn" : cuts[cutReason];
}

const cuts = { length: "max_tokens", "content-filter": "refusal" } as const satisfies Record<CutReason, StopReason>;

/** Codes of failed turns for which the protocol has a word. */
const failures: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["MAX_STEPS", "max_turn_requests"], // The host's bound of model calls in a turn.
  ["OUTPUT_LIMIT", cuts.length],
  ["REPLY_REFUSED", cuts["content-filter"]],
]);

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
