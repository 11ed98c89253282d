import * as z from "zod";

/** Every error code of the HTTP API. */
export const apiErrorCodeSchema = z.enum([
  "INVALID_REQUEST",
  "INVALID_EVENT_ID",
  "INVALID_CURSOR",
  "MODEL_UNKNOWN",
  "PROFILE_UNKNOWN",
  "CWD_INVALID",
  "UNAUTHORIZED",
  "FORBIDDEN_HOST",
  "FORBIDDEN_ORIGIN",
  "ROUTE_UNKNOWN",
  "CONVERSATION_UNKNOWN",
  "STEP_UNKNOWN",
  "EXTENSION_UNKNOWN",
  "METHOD_NOT_ALLOWED",
  "CONVERSATION_BUSY",
  "NOTHING_TO_COMPACT",
  "BODY_TOO_LARGE",
  "TEMPLATE_TOO_LARGE",
  "EXTENSION_FAILED",
  "STORED_DATA_DAMAGED",
  "INTERNAL",
  "MODEL_FAILED",
  "SERVICE_UNAVAILABLE",
  "STORAGE_FAILED",
  "TIMEOUT",
]);
export type ApiErrorCode = z.infer<typeof apiErrorCodeSchema>;

/** The status that an error is sent with. */
export const statusByErrorCode = {
  INVALID_REQUEST: 400,
  INVALID_EVENT_ID: 400,
  INVALID_CURSOR: 400,
  MODEL_UNKNOWN: 400,
  PROFILE_UNKNOWN: 400,
  CWD_INVALID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN_HOST: 403,
  FORBIDDEN_ORIGIN: 403,
  ROUTE_UNKNOWN: 404,
  CONVERSATION_UNKNOWN: 404,
  STEP_UNKNOWN: 404,
  EXTENSION_UNKNOWN: 404,
  METHOD_NOT_ALLOWED: 405,
  CONVERSATION_BUSY: 409,
  NOTHING_TO_COMPACT: 409,
  BODY_TOO_LARGE: 413,
  TEMPLATE_TOO_LARGE: 413,
  EXTENSION_FAILED: 409,
  STORED_DATA_DAMAGED: 500,
  INTERNAL: 500,
  MODEL_FAILED: 502,
  SERVICE_UNAVAILABLE: 503,
  STORAGE_FAILED: 507,
  TIMEOUT: 504,
} as const satisfies Record<ApiErrorCode, number>;

/** The one shape of every error answer: the message says what was wrong, where, and what to do. */
export const errorResponseSchema = z.object({
  error: z.object({ code: apiErrorCodeSchema, message: z.string(), details: z.unknown().optional() }),
});
export type ErrorResponse = z.infer<typeof errorResponseSchema>;
