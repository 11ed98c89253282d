import type { Conversation, StatusFilter } from "@incipit/schema";

export function statusFits({ status, approvals, questions }: Conversation, filter: StatusFilter): boolean {
  switch (filter) {
    case "asking":
      return approvals.length + questions.length > 0;
    case "busy":
      return status === "running" || status === "compacting";
    case "idle":
    case "running":
    case "compacting":
    case "waiting":
      return status === filter;
  }
}
