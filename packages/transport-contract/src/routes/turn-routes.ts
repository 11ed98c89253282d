import {
  allowedCallsSchema,
  answerValueSchema,
  approvalDecisionSchema,
  approvalIdSchema,
  compactConversationRequestSchema,
  conversationIdSchema,
  conversationSchema,
  conversationToolsResponseSchema,
  lazySchema,
  messageSchema,
  questionActionSchema,
  questionIdSchema,
  queuedTurnSchema,
  toolOutputResponseSchema,
  turnBodySchema,
  turnEventSchema,
  turnIdSchema,
} from "@incipit/schema";
import * as z from "zod";
import { conversationParamsSchema } from "./conversation-params.ts";
import type { Route } from "./route.ts";

const approvalParamsSchema = lazySchema(() =>
  z.object({
    id: conversationIdSchema,
    /** Id from the event `approval-request`. */
    approvalId: z.string(),
  }),
);

/** `respond-async`: returns 202 and the turn's id instead of a stream (RFC 7240). */
const turnHeadersSchema = lazySchema(() =>
  z.object({
    /** `respond-async`: returns 202 immediately instead of a stream (RFC 7240). */
    prefer: z.string().optional(),
    /** A unique string per message: a repeated send with the same key starts no second turn. */
    "idempotency-key": z.string().min(1).max(255).optional(),
  }),
);

/** Sequence number of the last event received, for resuming a stream. 0: all events. */
const afterSchema = z.string();
/** Takes precedence over the query; browsers send it automatically when reconnecting. */
const followHeadersSchema = lazySchema(() =>
  z.object({
    /** Like `after`, which it overrides; browsers send it when they reconnect. */
    "last-event-id": afterSchema.optional(),
  }),
);

export const turnAcceptedResponseSchema = lazySchema(() => z.object({ turnId: turnIdSchema }));
const queueResponseSchema = lazySchema(() =>
  z.object({
    /** Queued turns, next one first. */
    queue: z.array(queuedTurnSchema),
  }),
);
/** Number of resumed turns. */
const resumeResponseSchema = lazySchema(() =>
  z.object({
    /** Number of resumed turns. */
    resumed: z.int().nonnegative(),
  }),
);

/** Permanent permissions of a conversation, oldest first. */
const allowedCallsResponseSchema = lazySchema(() =>
  z.object({
    /** Permanently allowed calls, oldest first. */
    allowed: z.array(allowedCallsSchema),
  }),
);

/** Does not repeat the answer. */
const answeredQuestionResponseSchema = lazySchema(() =>
  z.object({ questionId: questionIdSchema, action: questionActionSchema }),
);

/** Routes of turns: sending, following, stopping, and answering approvals and questions. */
export const turnRoutes = {
  /**
   * Sends a message and streams the events of its turn, up to `turn-end`. The turn completes even if the client
   * disconnects, and is queued while another one runs.
   */
  createTurn: {
    method: "POST",
    path: "/conversations/:id/turns",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Send a message and follow its turn; with `Prefer: respond-async` 202 and the turn's id",
    headers: turnHeadersSchema,
    body: turnBodySchema,
    response: turnEventSchema,
    isStream: true,
    asyncAnswer: { status: 202, response: turnAcceptedResponseSchema },
  },
  /**
   * Streams the events of a conversation: stored ones after a number, then new ones, each once and in order. Stays
   * open until the client disconnects or the host stops.
   */
  followEvents: {
    method: "GET",
    path: "/conversations/:id/events",
    access: "read",
    params: conversationParamsSchema,
    summary: "The events of a conversation from a sequence number, then live",
    query: lazySchema(() =>
      z.object({
        /** Number of the last event received; 0 streams everything. Defaults to new events only. */
        after: afterSchema.optional(),
        /** Replaces the token, which a browser's `EventSource` cannot send: see `POST /tickets`. */
        ticket: z.string().optional(),
      }),
    ),
    headers: followHeadersSchema,
    response: turnEventSchema,
    isStream: true,
  },
  /** Cancels the running turn, including its model call and tools. Queued turns continue. */
  stopConversation: {
    method: "POST",
    path: "/conversations/:id/stop",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Stop the running turn",
    response: lazySchema(() =>
      z.object({
        /** Whether a turn was running; it ends as `cancelled`. */
        stopped: z.boolean(),
      }),
    ),
  },
  /** Lists the turns that wait for the running one, or for a resume. */
  getQueue: {
    method: "GET",
    path: "/conversations/:id/queue",
    access: "read",
    params: conversationParamsSchema,
    summary: "The queued turns, next first",
    response: queueResponseSchema,
  },
  /** Removes a queued turn, which ends as `cancelled`. */
  removeQueuedTurn: {
    method: "DELETE",
    path: "/conversations/:id/queue/:turnId",
    access: "converse",
    params: lazySchema(() => z.object({ id: conversationIdSchema, turnId: turnIdSchema })),
    summary: "Remove a turn from the queue; returns the rest",
    response: queueResponseSchema,
  },
  /** Runs the turns that were queued when the host stopped. Sending a message does the same. */
  resumeConversation: {
    method: "POST",
    path: "/conversations/:id/resume",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Resume the turns queued before the host's last start",
    response: resumeResponseSchema,
  },
  /**
   * Allows or denies a tool call that waits for approval; the turn continues immediately. An approval can be
   * answered once. With `forFolder`, `allow-always` extends to later conversations in that folder, which requires
   * the host's own token or page.
   */
  answerApproval: {
    method: "POST",
    path: "/conversations/:id/approvals/:approvalId",
    access: "converse",
    params: approvalParamsSchema,
    summary: "Allow or deny a tool call",
    body: lazySchema(() =>
      z
        .strictObject({
          decision: approvalDecisionSchema,
          /** `true`: a `deny` because no user is available; the model is informed. */
          unattended: z.boolean().optional(),
          /** Scope of "always": the id of one of the approval's scopes. Defaults to every call of the tool. */
          scope: z.string().min(1).max(64).optional(),
          /**
           * `true`: extends "always" to later conversations in the approval's `forFolder`. Requires the host's own
           * token or page.
           */
          forFolder: z.boolean().optional(),
        })
        .refine(({ decision, forFolder }) => forFolder !== true || decision === "allow-always", {
          path: ["forFolder"],
          error: 'requires the decision "allow-always"',
        })
        .refine(({ decision, scope }) => scope === undefined || decision === "allow-always", {
          path: ["scope"],
          error: 'requires the decision "allow-always"',
        })
        .refine(({ decision, unattended }) => unattended !== true || decision === "deny", {
          path: ["unattended"],
          error: 'requires the decision "deny"',
        }),
    ),
    response: lazySchema(() =>
      z.object({
        approvalId: approvalIdSchema,
        decision: approvalDecisionSchema,
      }),
    ),
  },
  /**
   * Lists the permissions granted with `allow-always` in the conversation, without those of the configuration or of
   * a turn.
   */
  listAllowed: {
    method: "GET",
    path: "/conversations/:id/allowed",
    access: "read",
    params: conversationParamsSchema,
    summary: "The permanent tool grants of a conversation, oldest first",
    response: allowedCallsResponseSchema,
  },
  /** Revokes a permission: such calls need approval again, from the next one on. */
  takeBackAllowed: {
    method: "DELETE",
    path: "/conversations/:id/allowed/:approvalId",
    access: "converse",
    params: approvalParamsSchema,
    summary: "Revoke a permanent tool grant; returns the rest",
    response: allowedCallsResponseSchema,
  },
  /**
   * Answers or declines a question of a tool; the call continues immediately. An invalid answer returns
   * `ANSWER_INVALID` with the fields in `details`, and the question stays open. The answer is passed only to the
   * tool, and not stored.
   */
  answerQuestion: {
    method: "POST",
    path: "/conversations/:id/questions/:questionId",
    access: "converse",
    params: lazySchema(() =>
      z.object({
        id: conversationIdSchema,
        /** Id from the event `question-request`. */
        questionId: z.string(),
      }),
    ),
    summary: "Answer or decline a tool's question",
    body: lazySchema(() =>
      z
        .strictObject({
          action: questionActionSchema,
          /** Values by field name; present with `accept`. */
          content: z.record(z.string(), answerValueSchema).optional(),
          /** `true`: a `cancel` because no user is available. */
          unattended: z.boolean().optional(),
        })
        .refine(({ action, unattended }) => unattended !== true || action === "cancel", {
          path: ["unattended"],
          error: 'requires the action "cancel"',
        })
        .refine(({ action, content }) => content === undefined || action === "accept", {
          path: ["content"],
          error: 'requires the action "accept"',
        }),
    ),
    response: answeredQuestionResponseSchema,
  },
  /**
   * Summarizes the history with the model and starts a new epoch with the summary and a newly constructed prompt.
   * Returns when done; a failure changes nothing.
   */
  compactConversation: {
    method: "POST",
    path: "/conversations/:id/compact",
    access: "converse",
    params: conversationParamsSchema,
    summary: "Compact a conversation: replaces the history by a summary and rebuilds the prompt",
    body: compactConversationRequestSchema,
    isBodyOptional: true,
    response: lazySchema(() =>
      z.object({
        conversation: conversationSchema,
        /** Message that starts the new epoch. */
        summary: messageSchema,
      }),
    ),
  },
  /**
   * Lists the tools in the requests of this epoch, and how an epoch that started now would differ. May start MCP
   * servers.
   */
  getConversationTools: {
    method: "GET",
    path: "/conversations/:id/tools",
    access: "read",
    params: conversationParamsSchema,
    summary: "The tools in a conversation's requests, and the changes in the next epoch",
    response: conversationToolsResponseSchema,
  },
  /** Returns the complete output of a tool call whose output was truncated for the model. */
  getToolOutput: {
    method: "GET",
    path: "/conversations/:id/tool-outputs/:toolCallId",
    access: "read",
    params: lazySchema(() =>
      z.object({
        id: conversationIdSchema,
        /** Id from the call's events. */
        toolCallId: z.string(),
      }),
    ),
    summary: "The full output of a tool call that was truncated for the model",
    response: toolOutputResponseSchema,
  },
} as const satisfies Record<string, Route>;
