export type ReadKeys = { readonly kind: "keys"; readonly keys: ReadonlyMap<string, unknown> } | BrokenKeys;

export interface BrokenKeys {
  readonly kind: "broken";
  /** Completes a sentence about the source. */
  readonly reason: string;
  /** From 1, in the source. */
  readonly line: number;
}
