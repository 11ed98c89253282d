import { lazySchema, type ApiErrorCode } from "@incipit/schema";
import * as z from "zod";
import { statusByErrorCode } from "../errors/api-error.ts";

/** Error format below `/v1`: https://platform.openai.com/docs/guides/error-codes. */
export const openAiErrorResponseSchema = lazySchema(() =>
  z.object({
    error: z.object({
      message: z.string(),
      /** Kind of error, as defined by OpenAI. */
      type: z.enum(["invalid_request_error", "rate_limit_error", "server_error"]),
      /** The invalid field, such as `messages[0].content`. */
      param: z.string().nullable(),
      /** Code of the same error on other routes; `null` if none. */
      code: z.string().nullable(),
    }),
  }),
);
export type OpenAiError = z.infer<typeof openAiErrorResponseSchema>["error"];

interface Named {
  readonly status: number;
  readonly code: string;
}

/** Statuses and codes in which OpenAI differs from the host. */
const namedByApiCode: Readonly<Partial<Record<ApiErrorCode, Named>>> = {
  UNAUTHORIZED: { status: 401, code: "invalid_api_key" },
  MODEL_UNKNOWN: { status: 404, code: "model_not_found" },
  PROFILE_UNKNOWN: { status: 400, code: "profile_not_found" },
  ROUTE_UNKNOWN: { status: 404, code: "unknown_url" },
  CONVERSATION_BUSY: { status: 400, code: "conversation_locked" },
  TOO_MANY_RUNNING: { status: 429, code: "rate_limit_exceeded" },
};

/** By code of a model failure. A rejected API key of the host is not the client's fault: 502, not 401. */
const namedByFailureCode: ReadonlyMap<string, Named> = new Map([
  ["BAD_REQUEST", { status: 400, code: "provider_refused_request" }],
  ["INPUT_UNSUPPORTED", { status: 400, code: "unsupported_input" }],
  ["FILE_REFUSED", { status: 400, code: "unsupported_input" }],
  ["CONTEXT_TOO_LONG", { status: 400, code: "context_length_exceeded" }],
  ["SPEND_LIMIT_REACHED", { status: 429, code: "insufficient_quota" }],
  ["RATE_LIMITED", { status: 429, code: "rate_limit_exceeded" }],
  ["VENDOR_FAILED", { status: 502, code: "provider_failed" }],
  ["OVERLOADED", { status: 503, code: "provider_overloaded" }],
  ["NOT_CONFIGURED", { status: 503, code: "provider_not_configured" }],
  ["CAPABILITY_DENIED", { status: 503, code: "capability_denied" }],
  ["TIMEOUT", { status: 504, code: "provider_timeout" }],
  ["UNAUTHORIZED", { status: 502, code: "provider_unauthorized" }],
  ["STORAGE_FAILED", { status: 507, code: "storage_failed" }],
  ["SERVICE_UNAVAILABLE", { status: 503, code: "service_unavailable" }],
]);

/** An error in OpenAI's format with its HTTP status. */
export interface OpenAiErrorAnswer {
  readonly status: number;
  readonly error: OpenAiError;
}

const detailsSchema = z.array(z.object({ field: z.string() })).min(1);

/** Converts an API error to OpenAI's format; `param` is the first field in its details. */
export function openAiErrorOf(code: ApiErrorCode, message: string, details?: unknown): OpenAiErrorAnswer {
  const named = namedByApiCode[code] ?? { status: statusByErrorCode[code], code: code.toLowerCase() };
  const [first] = detailsSchema.safeParse(details).data ?? [];
  return answerOf(named, message, first === undefined ? null : paramOf(first.field));
}

/** Converts a failed model call to OpenAI's format. */
export function openAiErrorOfFailure(code: string, message: string): OpenAiErrorAnswer {
  return answerOf(namedByFailureCode.get(code) ?? { status: 502, code: code.toLowerCase() }, message, null);
}

function answerOf({ status, code }: Named, message: string, param: string | null): OpenAiErrorAnswer {
  const type = status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error";
  return { status, error: { message, type, param, code } };
}

/** Converts `"messages.0.content"` to OpenAI's notation; of several fields, the first. */
function paramOf(field: string): string | null {
  const [, path] = /"([^"]+)"/.exec(field) ?? [];
  return path === undefined ? null : path.replaceAll(/\.(\d+)(?=\.|$)/g, "[$1]");
}
