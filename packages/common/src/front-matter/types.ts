export type ReadKeys = { readonly kind: "keys"; readonly keys: ReadonlyMap<string, unknown> } | BrokenKeys;

export interface BrokenKeys {
  readonly kind: "broken";
  /** Predicate of an error message about the source, such as `it is nested too deeply`. */
  readonly reason: string;
  /** Line of the error in the source, from 1. */
  readonly line: number;
}
