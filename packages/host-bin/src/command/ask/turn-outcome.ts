import type { CutReason, TurnEvent } from "@incipit/schema";

/** What a command's end tells a script. */
const exitCodes = {
  completed: 0,
  failed: 1,
  /** It ended well, and a call of a tool was not allowed. */
  denied: 3,
  /** It came to a bound that was set for it. */
  bounded: 4,
  /** What the model said does not fit the schema. */
  unfit: 5,
  /** The model reached its output limit: the answer is cut off, or there is none. */
  cut: 6,
  /** The model's vendor refused to answer, or to go on. */
  refused: 7,
  /** As `timeout` of coreutils says it. */
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

/** What came of a turn, as its events tell. */
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

  /** `undefined`: it is not known whether the message arrived. */
  get last(): TurnEvent | undefined {
    return this.#last;
  }

  /** It came to that bound, and not to a lower one of the host. */
  isAtMaxSteps(maxSteps: number): boolean {
    return this.#end?.error?.code === "MAX_STEPS" && this.#modelCalls >= maxSteps;
  }

  /** What the model said last. */
  get text(): string {
    return this.#text;
  }

  /**
   * @param isLate The command stopped it, because it took too long.
   * @param isStopped The command had it stopped, and did not wait for its end.
   */
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
