import type { ApprovalDecision } from "@incipit/schema";

export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  readonly scope?: string;
  readonly forFolder?: true;
}
