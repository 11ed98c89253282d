import { lazySchema, type ApiErrorCode } from "@incipit/schema";
import * as z from "zod";
import { statusByErrorCode } from "../errors/api-error.ts";

/** Anthropic's error format: https://docs.claude.com/en/api/errors. */
export const anthropicErrorResponseSchema = lazySchema(() =>
  z.object({
    type: z.literal("error"),
    error: z.object({
      /** Kind of error, as defined by Anthropic. */
      type: z.enum([
        "invalid_request_error",
        "authentication_error",
        "permission_error",
        "not_found_error",
        "request_too_large",
        "rate_limit_error",
        "api_error",
        "timeout_error",
        "overloaded_error",
      ]),
      message: z.string(),
      details: z.object({
        /** Stable code for programs: an API code, or that of a model failure, in lower case. */
        error_code: z.string(),
      }),
    }),
    /** Id of the call's record; `null` if no call was made. */
    request_id: z.string().nullable(),
  }),
);
export type AnthropicErrorResponse = z.infer<typeof anthropicErrorResponseSchema>;
type AnthropicErrorType = AnthropicErrorResponse["error"]["type"];

/** An error in Anthropic's format with its HTTP status. */
export interface AnthropicErrorAnswer {
  readonly status: number;
  readonly body: AnthropicErrorResponse;
}

const typeByStatus: ReadonlyMap<number, AnthropicErrorType> = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

/** Statuses in which Anthropic differs from the host. */
const statusByApiCode: Readonly<Partial<Record<ApiErrorCode, number>>> = {
  UNAUTHORIZED: 401,
  MODEL_UNKNOWN: 404,
  PROFILE_UNKNOWN: 400,
};

/** By code of a model failure. A rejected API key of the host is not the client's fault: 502, not 401. */
const statusByFailureCode: ReadonlyMap<string, number> = new Map([
  ["BAD_REQUEST", 400],
  ["INPUT_UNSUPPORTED", 400],
  ["CONTEXT_TOO_LONG", 400],
  ["FILE_REFUSED", 400],
  ["RATE_LIMITED", 429],
  ["SPEND_LIMIT_REACHED", 400],
  ["OVERLOADED", 529],
  ["NOT_CONFIGURED", 503],
  ["CAPABILITY_DENIED", 503],
  ["SERVICE_UNAVAILABLE", 503],
  ["TIMEOUT", 504],
  ["STORAGE_FAILED", 507],
]);

/** Converts an API error to Anthropic's format. */
export function anthropicErrorOf(code: ApiErrorCode, message: string): AnthropicErrorAnswer {
  return answerOf(statusByApiCode[code] ?? statusByErrorCode[code], { code, message, requestId: null });
}

/** Converts a failed model call to Anthropic's format. */
export function anthropicErrorOfFailure(
  code: string,
  message: string,
  callId: string | null,
): AnthropicErrorAnswer {
  return answerOf(statusByFailureCode.get(code) ?? 502, { code, message, requestId: callId });
}

interface Failed {
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
}

function answerOf(status: number, { code, message, requestId }: Failed): AnthropicErrorAnswer {
  const type = typeByStatus.get(status) ?? (status < 500 ? "invalid_request_error" : "api_error");
  const details = { error_code: code.toLowerCase() };
  return { status, body: { type: "error", error: { type, message, details }, request_id: requestId } };
}
