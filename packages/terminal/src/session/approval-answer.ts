import type { ApprovalDecision } from "@incipit/schema";

export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  readonly scope?: string;
  /** Whether it also applies to later conversations of the folder. */
  readonly forFolder?: true;
}
