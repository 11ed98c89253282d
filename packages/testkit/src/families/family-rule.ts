import type { FamilyName } from "./family-name.ts";

/** Something that servers of some families reject. */
export interface FamilyRule<Body> {
  readonly id: string;
  readonly families: readonly FamilyName[];
  /** Public reports as `owner/project#number`, or vendor documentation. */
  readonly sources: readonly string[];
  /** Returns the places that break the rule. */
  find(body: Body): readonly string[];
}
