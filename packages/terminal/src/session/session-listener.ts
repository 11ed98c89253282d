import type { Message, TurnEvent } from "@incipit/schema";

export interface SessionListener {
  /** Called with earlier messages, oldest first. */
  readonly onPast: (messages: readonly Message[], options: { readonly hasOlder: boolean }) => Promise<void> | void;
  /** The next event waits until this resolves. */
  readonly onEvent: (event: TurnEvent) => Promise<void> | void;
  /** Called when the conversation is left; running turns continue. */
  readonly onLeave: (options: { readonly isRunning: boolean }) => void;
  readonly onChange: () => void;
  readonly onAway: (isAway: boolean) => void;
  /** Called for failures that no caller awaits. */
  readonly onProblem: (error: unknown) => void;
}
