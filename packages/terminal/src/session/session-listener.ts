import type { Message, TurnEvent } from "@incipit/schema";

/** What is told of a conversation, when it happens. */
export interface SessionListener {
  /** Messages from before, oldest first. */
  readonly onPast: (messages: readonly Message[], options: { readonly hasOlder: boolean }) => Promise<void> | void;
  /** The next event comes once this one was taken. */
  readonly onEvent: (event: TurnEvent) => Promise<void> | void;
  /** The conversation is left; what runs in it goes on. */
  readonly onLeave: (options: { readonly isRunning: boolean }) => void;
  /** Anything of the session's state is another one. */
  readonly onChange: () => void;
  readonly onAway: (isAway: boolean) => void;
  /** What could not be done, and was not asked for by anybody who could be told. */
  readonly onProblem: (error: unknown) => void;
}
