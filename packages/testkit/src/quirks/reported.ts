/** An input from a public report of a comparable program. Each table of such inputs adds the expected result. */
export interface Reported {
  readonly id: string;
  /** Public reports as `project#number`; empty for a variant that was tested along with them. */
  readonly sources: readonly string[];
  /** The input, in a sentence. */
  readonly does: string;
  /** Worked before it was listed here, without a change. */
  readonly held?: true;
}
