import type { Places } from "./prefixes.ts";

/** In UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Rule {
  /** As in `[redacted:KIND]`. */
  readonly kind: string;
  /**
   * Maximum distance, in UTF-16 units, from the start of a match to new text that it ends in, unless it matched
   * before.
   */
  readonly overlap: number;
  /** Every match has one of these prefixes. */
  readonly beginnings?: readonly string[];
  /**
   * Matches that begin at or after `from`: ordered, not nested, in linear time. `places`: offsets of the prefixes
   * there.
   */
  readonly find: (text: string, from: number, places: Places) => readonly Span[];
}
