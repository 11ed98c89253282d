import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { approvalIdSchema, turnIdSchema } from "../values/ids.ts";
import { timestampSchema } from "../values/timestamp.ts";
import { askerSchema } from "./asker.ts";

/** `allow-always`: in this conversation the tool is not asked about again. */
export const approvalDecisionSchema = z.enum(["allow", "allow-always", "deny"]);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

/**
 * How it came to the decision; all but `answered` are a `deny` that nobody spoke. `unattended`: whoever sent the turn says that
 * nobody is there to ask.
 */
export const approvalEndReasonSchema = z.enum(["answered", "expired", "stopped", "interrupted", "unattended"]);
export type ApprovalEndReason = z.infer<typeof approvalEndReasonSchema>;

/** What `allow-always` may stand for. */
export const approvalScopeSchema = lazySchema(() =>
  z.object({
    /** What the answer names. */
    id: z.string(),
    /** In a few words. */
    label: z.string(),
    /** All that is not asked about any more in this conversation, as a person reads it. */
    covers: z.string(),
    /** The same as grants, such as `shell(git status:*)`: what a configuration or a turn would say. */
    grants: z.array(z.string()),
  }),
);
export type ApprovalScope = z.infer<typeof approvalScopeSchema>;

/** What a person has allowed for good in a conversation; `id`: the question that was answered so, `asker`: whose tool it is. */
export const allowedCallsSchema = lazySchema(() =>
  z.object({ id: approvalIdSchema, tool: z.string(), asker: askerSchema, grants: z.array(z.string()) }),
);
export type AllowedCalls = z.infer<typeof allowedCallsSchema>;

/** What a question about a tool call says. */
export const approvalFields = {
  approvalId: approvalIdSchema,
  toolCallId: z.string(),
  /** The name of the tool. */
  name: z.string(),
  /** Whose tool it is. */
  asker: askerSchema,
  /** The arguments as the model wrote them: JSON text. */
  input: z.string(),
  /** What the call would change, as the tool tells it, such as a unified diff; at most 256 KiB. Absent: it tells nothing. */
  preview: z.string().exactOptional(),
  /**
   * The preview was cut, and what runs is not in `input`, as another agent runs it: nobody can allow what they cannot read. Absent:
   * all of it is shown.
   */
  isPreviewCut: z.literal(true).exactOptional(),
  /** Why a person is asked whatever was allowed for the tool: "always" does not cover such a call. Absent: as for any other. */
  why: z.string().exactOptional(),
  /** What `allow-always` may stand for, narrowest first. Absent: it is as `allow`, or an older host asked. */
  scopes: z.array(approvalScopeSchema).exactOptional(),
  /**
   * The folder in whose later conversations an `allow-always` holds, too, when the answer says `forFolder`. Absent: it holds in this
   * conversation alone, as nobody trusts the folder, or nobody watches the call.
   */
  forFolder: z.string().exactOptional(),
  /** Without an answer until then, the call is denied. */
  expiresAt: timestampSchema,
  /**
   * The folder that the tools of an imported conversation would use: the question is whether they may, and the call is the
   * first of them. A tool that needs approval is asked about behind it. Absent: the question is about the call.
   */
  folder: z.string().exactOptional(),
};

/** A tool call that waits for an answer. */
export const approvalSchema = lazySchema(() => z.object({ ...approvalFields, turnId: turnIdSchema }));
export type Approval = z.infer<typeof approvalSchema>;
