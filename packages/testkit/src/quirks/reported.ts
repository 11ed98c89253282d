/** An input that somebody reported of a comparable program. Each table of such inputs adds what has to come of it. */
export interface Reported {
  readonly id: string;
  /** Public reports as `project#number`; empty: a sibling that was tried beside them. */
  readonly sources: readonly string[];
  /** What arrives, in a sentence. */
  readonly does: string;
  /** It was read before somebody listed it here: no change was made for it. */
  readonly held?: true;
}
