import type { Places } from "./prefixes.ts";

/** A range of UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds one kind of secret. */
export interface Rule {
  /** Used in the replacement: `[redacted:KIND]`. */
  readonly kind: string;
  /**
   * Maximum distance, in UTF-16 units, from the start of a match to new text that it ends in, unless it matched
   * before.
   */
  readonly overlap: number;
  /** Fixed prefixes of all matches, if any. */
  readonly beginnings?: readonly string[];
  /**
   * Finds matches that begin at or after `from`: ordered, without nesting, in linear time. `places`: offsets of its
   * prefixes there.
   */
  readonly find: (text: string, from: number, places: Places) => readonly Span[];
}
