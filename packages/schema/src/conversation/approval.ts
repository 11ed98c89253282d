import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { approvalIdSchema, turnIdSchema } from "../values/ids.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { askerSchema } from "./requester.ts";

/** `allow-always`: no further approval for the tool in this conversation. */
export const approvalDecisionSchema = z.enum(["allow", "allow-always", "deny"]);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

/**
 * How the decision came about; all but `answered` are an automatic `deny`. `unattended`: the sender of the turn
 * declared that no user is available.
 */
export const approvalEndReasonSchema = z.enum(["answered", "expired", "stopped", "interrupted", "unattended"]);
export type ApprovalEndReason = z.infer<typeof approvalEndReasonSchema>;

/** A choice for `allow-always`. */
const approvalScopeSchema = lazySchema(() =>
  z.object({
    /** Passed in the answer. */
    id: z.string(),
    /** Short label. */
    label: z.string(),
    /** Human-readable description of the calls that no longer need approval in this conversation. */
    covers: z.string(),
    /** Equivalent grants, such as `shell(git status:*)`, as in a configuration or a turn. */
    grants: z.array(z.string()),
  }),
);
export type ApprovalScope = z.infer<typeof approvalScopeSchema>;

/** A permanent permission of a conversation. `id`: the answered approval; `asker`: the tool's provider. */
export const allowedCallsSchema = lazySchema(() =>
  z.object({
    /** Id of the approval; used to revoke the permission. */
    id: approvalIdSchema,
    tool: z.string(),
    asker: askerSchema,
    grants: z.array(z.string()),
  }),
);
export type AllowedCalls = z.infer<typeof allowedCallsSchema>;

/** Fields of an approval request. */
export const approvalFields = {
  approvalId: approvalIdSchema,
  toolCallId: z.string(),
  /** Name of the tool. */
  name: z.string(),
  asker: askerSchema,
  input: z.string(),
  /** Effect of the call as described by the tool, such as a unified diff; at most 256 KiB. */
  preview: z.string().exactOptional(),
  /**
   * The preview is truncated, and the effect is not visible in `input` because another agent runs the call. It can
   * only be denied.
   */
  isPreviewCut: z.literal(true).exactOptional(),
  /** Why approval is required regardless of permissions; "always" does not cover this call. */
  why: z.string().exactOptional(),
  /** Choices for `allow-always`, narrowest first. Absent if "always" is not available, or from older hosts. */
  scopes: z.array(approvalScopeSchema).exactOptional(),
  /**
   * Folder to whose later conversations `allow-always` extends if the answer has `forFolder`. Absent if the folder
   * is not trusted or no user watches the call.
   */
  forFolder: z.string().exactOptional(),
  /** Denied automatically at this time. */
  expiresAt: timestampSchema,
  /**
   * Folder of an imported conversation: the question is whether its tools may use the folder, and the call is the first
   * that does. Approval of the tool itself is a separate question afterwards.
   */
  folder: z.string().exactOptional(),
};

/** A tool call that waits for approval. */
export const approvalSchema = lazySchema(() => z.object({ ...approvalFields, turnId: turnIdSchema }));
export type Approval = z.infer<typeof approvalSchema>;
