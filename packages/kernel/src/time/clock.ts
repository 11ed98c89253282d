/** Time as the host sees it; tests pass one that they move by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once after `delayMs`; the returned function cancels it. Does not keep the process alive. */
  setTimer(callback: () => void, delayMs: number): () => void;
}
