import type { StopReason, Usage as TurnUsage } from "@agentclientprotocol/sdk/unstable";
import type { CutReason, TurnEvent, Usage } from "@incipit/schema";

type TurnEnd = Extract<TurnEvent, { type: "turn-end" }>;

/** `undefined` for other failures. */
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

const failures: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["MAX_STEPS", "max_turn_requests"],
  ["OUTPUT_LIMIT", cuts.length],
  ["REPLY_REFUSED", cuts["content-filter"]],
]);

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
