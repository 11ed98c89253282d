import { approvalLines, renderApproval, type Approval, type RenderedApproval } from "@incipit/schema";
import { shownAtOnce } from "../controls/shown-at-once.ts";

/** A question as the page shows it. */
export interface ShownApproval extends Pick<
  RenderedApproval,
  "folder" | "forFolder" | "reason" | "scopes" | "tool"
> {
  /** The whole input, but for what the preview shows. */
  readonly input: string;
  readonly preview: string | undefined;
  /** Nobody allows what they were not shown. */
  readonly canAllow: boolean;
}

export function shownApproval(approval: Approval): ShownApproval {
  const rendered = renderApproval(approval);
  const input = approvalLines({ ...rendered, preview: undefined }, { isTerse: true }).join("\n");
  const preview = rendered.preview?.text;
  const canAllow = rendered.isWhole && input.length <= shownAtOnce && (preview ?? "").length <= shownAtOnce;
  const { tool, folder, forFolder, reason, scopes } = rendered;
  return { tool, folder, forFolder, reason, scopes, input, preview, canAllow };
}
