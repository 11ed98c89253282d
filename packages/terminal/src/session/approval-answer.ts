import type { ApprovalDecision } from "@incipit/schema";

/** What a person says to a question about a call. */
export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  /** What an `allow-always` covers, by its id. */
  readonly scope?: string;
  /** It holds in the later conversations of the folder, too. */
  readonly forFolder?: true;
}
