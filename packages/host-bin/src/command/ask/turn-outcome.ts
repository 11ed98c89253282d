import type { CutReason, TurnEvent } from "@incipit/schema";

const exitCodes = {
  completed: 0,
  failed: 1,
  /** Exit code when a tool call was denied. */
  denied: 3,
  bounded: 4,
  unfit: 5,
  /** The model reached its output limit: the answer is truncated or missing. */
  cut: 6,
  /** The provider refused to answer or to continue. */
  refused: 7,
  /** Exit code after a timeout, as in `timeout` of coreutils. */
  timeout: 124,
  interrupted: 130,
} as const;

const failureCodes: ReadonlyMap<string, number> = new Map([
  ["MAX_STEPS", exitCodes.bounded],
  ["MAX_COST", exitCodes.bounded],
  ["SPEND_LIMIT_REACHED", exitCodes.bounded],
  ["ANSWER_UNFIT", exitCodes.unfit],
  ["OUTPUT_LIMIT", exitCodes.cut],
  ["REPLY_REFUSED", exitCodes.refused],
]);

const cutCodes: Readonly<Record<CutReason, number>> = {
  length: exitCodes.cut,
  "content-filter": exitCodes.refused,
};

export class TurnOutcome {
  #text = "";
  #isDenied = false;
  #modelCalls = 0;
  #end: Extract<TurnEvent, { type: "turn-end" }> | undefined;
  #last: TurnEvent | undefined;

  take(event: TurnEvent): void {
    this.#last = event;
    if (event.type === "step-start") {
      this.#text = "";
      this.#modelCalls += 1;
    } else if (event.type === "text-delta") this.#text += event.text;
    else if (event.type === "tool-call-end") {
      const code = event.error?.code;
      this.#isDenied ||= code === "APPROVAL_DENIED" || code === "APPROVAL_EXPIRED";
    } else if (event.type === "turn-end") this.#end = event;
  }

  get end(): Extract<TurnEvent, { type: "turn-end" }> | undefined {
    return this.#end;
  }

  /** `undefined`: unknown whether the message arrived. */
  get last(): TurnEvent | undefined {
    return this.#last;
  }

  /** Not a lower limit of the host. */
  isAtMaxSteps(maxSteps: number): boolean {
    return this.#end?.error?.code === "MAX_STEPS" && this.#modelCalls >= maxSteps;
  }

  get text(): string {
    return this.#text;
  }

  /** `isLate`: stopped at the time limit. `isStopped`: stopped without waiting for its end. */
  exitCode({ isLate, isStopped = false }: { readonly isLate: boolean; readonly isStopped?: boolean }): number {
    if (this.#end?.status === "completed") {
      if (this.#end.cutReason !== undefined) return cutCodes[this.#end.cutReason];
      return this.#isDenied ? exitCodes.denied : exitCodes.completed;
    }
    if (isStopped || this.#end?.status === "cancelled") return isLate ? exitCodes.timeout : exitCodes.interrupted;
    const code = this.#end?.error?.code;
    return failureCodes.get(code ?? "") ?? exitCodes.failed;
  }
}
