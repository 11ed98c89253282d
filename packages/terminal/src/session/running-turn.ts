import type { TurnEvent } from "@incipit/schema";

interface Waiting {
  readonly what: string;
  /** In the time of `performance.now()`. */
  readonly sinceMs: number;
}

export interface RunningTurn {
  readonly turnId: string;
  readonly sinceMs: number;
  readonly waiting: Waiting;
}

export function runningAfter(
  before: RunningTurn | undefined,
  event: TurnEvent,
  nowMs: number,
): RunningTurn | undefined {
  if (event.type === "turn-end" || event.type === "compaction-end")
    return before?.turnId === event.turnId && event.type === "turn-end" ? undefined : compacted(before, event);
  // A rebuild on request is not a turn.
  if (event.type === "turn-queue" || (event.type === "prompt-resolve" && event.reason === "rebuild")) return before;
  const what = waitingFor(event);
  const turn =
    before?.turnId === event.turnId
      ? before
      : { turnId: event.turnId, sinceMs: nowMs, waiting: { what: "the prompt", sinceMs: nowMs } };
  return what === undefined ? turn : { ...turn, waiting: { what, sinceMs: nowMs } };
}

/** Returns `undefined` once the awaited compaction has ended: a requested one is a separate turn without `turn-end`. */
function compacted(before: RunningTurn | undefined, event: TurnEvent): RunningTurn | undefined {
  return before?.waiting.what === compaction && before.turnId === event.turnId ? undefined : before;
}

const compaction = "the summary";

function waitingFor(event: TurnEvent): string | undefined {
  switch (event.type) {
    case "turn-start":
      return "the prompt";
    case "step-start":
      return event.model;
    case "step-retry":
      return `the next attempt, in ${Math.ceil(event.waitMs / 1_000)} s: ${event.error.message}`;
    case "text-start":
      return "the rest of the answer";
    case "reasoning-start":
      return "the end of the reasoning";
    case "tool-call-start":
      return event.name;
    case "approval-request":
      return "your answer";
    case "approval-end":
    case "tool-call-end":
      return "the tools";
    case "compaction-start":
      return compaction;
    default:
      return undefined;
  }
}
