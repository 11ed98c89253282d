import type { Stretch } from "@incipit/common/front-matter";
import type { ProfileProblem } from "@incipit/schema";
import type { Profile } from "@incipit/service-contract";

export type AgentPlace =
  | { readonly kind: "file"; readonly whole: Stretch; readonly yaml: Stretch; readonly body: Stretch }
  | { readonly kind: "section"; readonly whole: Stretch; readonly yaml: Stretch; readonly body: Stretch }
  | { readonly kind: "entry"; readonly whole: Stretch; readonly yaml: Stretch; readonly index: number };

export interface ParsedAgent {
  readonly profile: Profile;
  readonly line: number | null;
  readonly problems: readonly FileProblem[];
  readonly keys: ReadonlyMap<string, unknown>;
  readonly place: AgentPlace;
}

export type FileProblem = Pick<ProfileProblem, "code" | "line" | "message">;

export interface ParsedFile {
  readonly agents: readonly ParsedAgent[];
  readonly problems: readonly FileProblem[];
}
