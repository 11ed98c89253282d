import type { FamilyName } from "./family-name.ts";

export interface FamilyRule<Body> {
  readonly id: string;
  readonly families: readonly FamilyName[];
  /** Reports as `owner/project#number`, or vendor documentation. */
  readonly sources: readonly string[];
  find(body: Body): readonly string[];
}
