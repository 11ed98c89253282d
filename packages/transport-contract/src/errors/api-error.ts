import { apiErrorCodeSchema, lazySchema, nextActionSchema, type ApiErrorCode } from "@incipit/schema";
import * as z from "zod";

/** HTTP status of each error code. */
export const statusByErrorCode: Readonly<Record<ApiErrorCode, number>> = {
  INVALID_REQUEST: 400,
  INVALID_EVENT_ID: 400,
  INVALID_CURSOR: 400,
  MODEL_UNKNOWN: 400,
  PROFILE_UNKNOWN: 400,
  CWD_INVALID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN_HOST: 403,
  FORBIDDEN_ORIGIN: 403,
  FORBIDDEN_SCOPE: 403,
  ROUTE_UNKNOWN: 404,
  CONVERSATION_UNKNOWN: 404,
  STEP_UNKNOWN: 404,
  RECORD_DELETED: 410,
  CALL_UNKNOWN: 404,
  APPROVAL_UNKNOWN: 404,
  QUESTION_UNKNOWN: 404,
  TOOL_OUTPUT_UNKNOWN: 404,
  TURN_NOT_QUEUED: 404,
  MESSAGE_UNKNOWN: 404,
  RESTORATION_UNKNOWN: 404,
  PROMPT_UNKNOWN: 404,
  EXTENSION_UNKNOWN: 404,
  TEMPLATE_VERSION_UNKNOWN: 404,
  TOKEN_UNKNOWN: 404,
  TOOL_SERVER_UNKNOWN: 404,
  // The server runs for the maximum number of working folders.
  TOOL_SERVER_LIMIT: 503,
  // The server does not start, exits, or returns an invalid result.
  TOOL_SERVER_FAILED: 502,
  RESOURCE_UNKNOWN: 404,
  // Denied by the authorization server or the user, or no sign-in supported.
  SIGN_IN_FAILED: 409,
  SCHEDULE_UNKNOWN: 404,
  SKILL_UNKNOWN: 404,
  COMMAND_UNKNOWN: 404,
  // The command's source failed.
  COMMAND_FAILED: 502,
  CHANNEL_UNKNOWN: 404,
  CHAT_UNKNOWN: 404,
  // The chat may use fewer tools than the conversation.
  CHAT_TOOLS_EXCEEDED: 409,
  PERSON_UNKNOWN: 404,
  METHOD_NOT_ALLOWED: 405,
  CONVERSATION_BUSY: 409,
  // Limit per token.
  TOO_MANY_RUNNING: 429,
  CONVERSATION_EXISTS: 409,
  SCHEDULE_EXISTS: 409,
  // Managed in the configuration.
  SCHEDULE_CONFIGURED: 409,
  // Managed in the configuration.
  PERSON_CONFIGURED: 409,
  MESSAGE_NOT_RETRYABLE: 409,
  // An export that would grant or run something.
  NOT_A_HISTORY: 422,
  NOTHING_TO_COMPACT: 409,
  // A cap of [limits] was reached.
  SPEND_LIMIT_REACHED: 402,
  PROMPT_NOT_CONSTRUCTED: 409,
  APPROVAL_ENDED: 409,
  QUESTION_ENDED: 409,
  // Does not match the question, which stays open.
  ANSWER_INVALID: 422,
  FORK_POINT_INVALID: 409,
  IDEMPOTENCY_CONFLICT: 409,
  TEMPLATE_CONFLICT: 409,
  PROFILE_EXISTS: 409,
  PROFILE_CONFLICT: 409,
  // Managed in the configuration.
  PROFILE_CONFIGURED: 409,
  PROFILE_INVALID: 422,
  BODY_TOO_LARGE: 413,
  TEMPLATE_TOO_LARGE: 413,
  EXTENSION_REFUSED: 409,
  // Errors of an extension itself; nothing was changed.
  MANIFEST_INVALID: 422,
  API_MISMATCH: 422,
  FOLDER_INVALID: 422,
  CODE_INVALID: 422,
  CODE_FAILED: 422,
  SERVICE_NOT_PROVIDED: 422,
  SERVICE_UNDECLARED: 422,
  CONFIG_INVALID: 422,
  GRANT_REQUIRED: 403,
  IMPORT_DENIED: 403,
  CAPABILITY_DENIED: 403,
  ID_RESERVED: 403,
  CONTRIBUTION_INVALID: 422,
  DUPLICATE_EXTENSION: 409,
  DUPLICATE_SERVICE: 409,
  DEPENDENCY_CYCLE: 409,
  ACTIVATE_FAILED: 409,
  ACTIVATE_TIMEOUT: 409,
  UNTRUSTED_TEXT: 409,
  FOLDER_NOT_TRUSTED: 409,
  STORED_DATA_DAMAGED: 500,
  INTERNAL: 500,
  MODEL_FAILED: 502,
  SERVICE_UNAVAILABLE: 503,
  STORAGE_FAILED: 507,
  TIMEOUT: 504,
};

/** Format of all errors. The message states the problem, its location and a remedy. */
export const errorResponseSchema = lazySchema(() =>
  z.object({
    error: z.object({
      code: apiErrorCodeSchema,
      message: z.string(),
      /** Details that depend on the code. */
      details: z.unknown().optional(),
      /** Suggested next action; its route ends the message. */
      next: nextActionSchema.optional(),
    }),
  }),
);
export type ErrorResponse = z.infer<typeof errorResponseSchema>;
