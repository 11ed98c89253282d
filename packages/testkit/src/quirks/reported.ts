/** Each table adds the expected result. */
export interface Reported {
  readonly id: string;
  /** Reports as `project#number`; empty for a variant that was tested along with them. */
  readonly sources: readonly string[];
  readonly does: string;
}
