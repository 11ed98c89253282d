import { approvalLines, renderApproval, type Approval, type RenderedApproval } from "@incipit/schema";
import { shownAtOnce } from "../controls/shown-at-once.ts";

export interface ShownApproval extends Pick<
  RenderedApproval,
  "folder" | "forFolder" | "reason" | "scopes" | "tool"
> {
  /** Input of the call, without the part that the preview shows. */
  readonly input: string;
  readonly preview: string | undefined;
  /** `false` if a part is not shown. */
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
