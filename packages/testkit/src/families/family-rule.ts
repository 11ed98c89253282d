import type { FamilyName } from "./family-name.ts";

/** One thing that servers of some families refuse. */
export interface FamilyRule<Body> {
  readonly id: string;
  readonly families: readonly FamilyName[];
  /** Public reports as `owner/project#number`, or a page of the vendor's documentation. */
  readonly sources: readonly string[];
  /** Returns the places that break the rule; empty: none. */
  find(body: Body): readonly string[];
}
