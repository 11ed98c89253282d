import type { Stretch } from "@incipit/front-matter";
import type { ProfileProblem } from "@incipit/schema";
import type { Profile } from "@incipit/service-contract";

export type AgentPlace =
  /** Its own file: front matter, then the prompt. */
  | { readonly kind: "file"; readonly whole: Stretch; readonly yaml: Stretch; readonly body: Stretch }
  /** A heading, a YAML block, then the prompt. */
  | { readonly kind: "section"; readonly whole: Stretch; readonly yaml: Stretch; readonly body: Stretch }
  /** An entry of a YAML list that includes the prompt. */
  | { readonly kind: "entry"; readonly whole: Stretch; readonly yaml: Stretch; readonly index: number };

export interface ParsedAgent {
  readonly profile: Profile;
  /** Its first line, from 1; `null` for its own file. */
  readonly line: number | null;
  readonly problems: readonly FileProblem[];
  /** All keys, including unknown ones. */
  readonly keys: ReadonlyMap<string, unknown>;
  readonly place: AgentPlace;
}

export type FileProblem = Pick<ProfileProblem, "code" | "line" | "message">;

export interface ParsedFile {
  /** In file order; names may repeat. */
  readonly agents: readonly ParsedAgent[];
  readonly problems: readonly FileProblem[];
}
