import type { Places } from "./beginnings.ts";

/** Something to leave out: UTF-16 units from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One kind of secret, and how it is found. */
export interface Rule {
  /** Stands in the place of what was found: `[redacted:KIND]`. */
  readonly kind: string;
  /** A secret that ends in new text begins at most so many UTF-16 units before it, unless it was one before already. */
  readonly overlap: number;
  /** What each that it finds begins with; absent: that is not fixed. */
  readonly beginnings?: readonly string[];
  /**
   * All that begin at or behind `from`, in order, none in another; takes time as the text behind `from` is long. `places`: where
   * its beginnings stand there.
   */
  readonly find: (text: string, from: number, places: Places) => readonly Span[];
}
