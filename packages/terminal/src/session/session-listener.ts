import type { Message, TurnEvent } from "@incipit/schema";

export interface SessionListener {
  readonly onPast: (messages: readonly Message[], options: { readonly hasOlder: boolean }) => Promise<void> | void;
  /** The next event waits for it. */
  readonly onEvent: (event: TurnEvent) => Promise<void> | void;
  readonly onLeave: (options: { readonly isRunning: boolean }) => void;
  readonly onChange: () => void;
  readonly onAway: (isAway: boolean) => void;
  readonly onProblem: (error: unknown) => void;
}
