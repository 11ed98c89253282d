export type ReadKeys = { readonly kind: "keys"; readonly keys: ReadonlyMap<string, unknown> } | BrokenKeys;

export interface BrokenKeys {
  readonly kind: "broken";
  /** What is wrong, in words that go on a sentence. */
  readonly reason: string;
  /** From 1, in the source. */
  readonly line: number;
}
