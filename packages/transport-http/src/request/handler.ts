import {
  approvalIdSchema,
  questionIdSchema,
  conversationIdSchema,
  turnIdSchema,
  type ApprovalId,
  type QuestionId,
  type ConversationId,
  type TurnId,
} from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { RouteName } from "@incipit/transport-contract";
import type { Context } from "hono";
import type { ApiEnv } from "./caller.ts";

type Handler = (context: Context<ApiEnv>, signal: AbortSignal) => Response | Promise<Response>;

export type Handlers<Names extends RouteName> = Readonly<Record<Names, Handler>>;

/** @throws {ServiceError} `INVALID_REQUEST` for a NUL or a lone surrogate, which no id or storage key contains. */
export function param(context: Context, name: string): string {
  const given = context.req.param(name) ?? "";
  if (!given.includes("\0") && given.isWellFormed()) return given;
  const message = `${JSON.stringify(given)} in the path contains a NUL or half a surrogate pair; no such resource exists`;
  throw new ServiceError("INVALID_REQUEST", message);
}

/** @throws {ServiceError} `INVALID_REQUEST` unless a UUID; `CONVERSATION_UNKNOWN` for a UUID of another version. */
export function conversationId(context: Context): ConversationId {
  const given = param(context, "id");
  const id = conversationIdSchema.safeParse(given);
  if (id.success) return id.data;
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) {
    const next = { action: "list-conversations" } as const;
    throw new ServiceError("CONVERSATION_UNKNOWN", `No conversation has the id "${given}"`, { next });
  }
  throw new ServiceError("INVALID_REQUEST", `"${given}" is not a conversation id: it must be a UUID`);
}

/** @throws {ServiceError} `APPROVAL_UNKNOWN` for an invalid id. */
export function approvalId(context: Context): ApprovalId {
  const given = param(context, "approvalId");
  const id = approvalIdSchema.safeParse(given);
  if (id.success) return id.data;
  const next = { action: "show-conversation", conversationId: param(context, "id") } as const;
  throw new ServiceError("APPROVAL_UNKNOWN", `No approval has the id "${given}"`, { next });
}

/** @throws {ServiceError} `QUESTION_UNKNOWN` for an invalid id. */
export function questionId(context: Context): QuestionId {
  const given = param(context, "questionId");
  const id = questionIdSchema.safeParse(given);
  if (id.success) return id.data;
  const next = { action: "show-conversation", conversationId: param(context, "id") } as const;
  throw new ServiceError("QUESTION_UNKNOWN", `No question has the id "${given}"`, { next });
}

/** @throws {ServiceError} `TURN_NOT_QUEUED` for an invalid id. */
export function queuedTurnId(context: Context): TurnId {
  const given = param(context, "turnId");
  const id = turnIdSchema.safeParse(given);
  if (id.success) return id.data;
  const next = { action: "list-queue", conversationId: param(context, "id") } as const;
  throw new ServiceError("TURN_NOT_QUEUED", `No turn has the id "${given}"`, { next });
}
