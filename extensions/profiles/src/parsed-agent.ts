import type { Stretch } from "@incipit/front-matter";
import type { ProfileProblem } from "@incipit/schema";
import type { Profile } from "@incipit/service-contract";

/** Where the text of an agent stands in its file. */
export type AgentPlace =
  /** The file is its own: front matter, then its prompt. */
  | { readonly kind: "file"; readonly whole: Stretch; readonly yaml: Stretch; readonly body: Stretch }
  /** A heading, a block of YAML, then its prompt. */
  | { readonly kind: "section"; readonly whole: Stretch; readonly yaml: Stretch; readonly body: Stretch }
  /** An entry of a list in YAML, with its prompt among its keys. */
  | { readonly kind: "entry"; readonly whole: Stretch; readonly yaml: Stretch; readonly index: number };

export interface ParsedAgent {
  readonly profile: Profile;
  /** On which line it begins, from 1; `null`: the file is its own. */
  readonly line: number | null;
  readonly problems: readonly FileProblem[];
  /** All that it says, also what nobody here knows. */
  readonly keys: ReadonlyMap<string, unknown>;
  readonly place: AgentPlace;
}

/** Something wrong in a file. */
export type FileProblem = Pick<ProfileProblem, "code" | "line" | "message">;

export interface ParsedFile {
  /** As they stand in the file; their names may be the same. */
  readonly agents: readonly ParsedAgent[];
  /** Why something in it is no agent. */
  readonly problems: readonly FileProblem[];
}
