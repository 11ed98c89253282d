/** The host's source of time; tests pass a fake clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Returns a function that cancels the timer. Does not keep the process alive. */
  setTimer(callback: () => void, delayMs: number): () => void;
}
