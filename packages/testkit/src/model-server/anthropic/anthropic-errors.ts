import type { VendorError } from "../wire/vendor-error.ts";
import { serverSentEvent } from "../wire/wire-format.ts";

const stream = { "content-type": "text/event-stream" };

/** https://docs.claude.com/en/api/errors */
function body(type: string, message: string): string {
  return JSON.stringify({ type: "error", error: { type, message }, request_id: "req_011CSHoEeqs5C35K2UUqR7Fy" });
}

function event(type: string, message: string): string {
  return serverSentEvent({ type: "error", error: { details: null, type, message } }, "error");
}

export const anthropicErrors: readonly VendorError[] = [
  {
    status: 400,
    body: body("invalid_request_error", "messages.1: `tool_use` ids were found without `tool_result` blocks"),
    code: "BAD_REQUEST",
  },
  {
    status: 400,
    body: body("invalid_request_error", "prompt is too long: 214201 tokens > 200000 maximum"),
    code: "CONTEXT_TOO_LONG",
  },
  {
    status: 400,
    body: body(
      "invalid_request_error",
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
    ),
    code: "NO_CREDIT",
  },
  { status: 401, body: body("authentication_error", "invalid x-api-key"), code: "UNAUTHORIZED" },
  {
    status: 403,
    body: body("permission_error", "Your API key does not have permission to use the specified resource."),
    code: "UNAUTHORIZED",
  },
  { status: 404, body: body("not_found_error", "model: claude-none"), code: "BAD_REQUEST" },
  {
    status: 413,
    body: body("request_too_large", "Request exceeds the maximum allowed number of bytes."),
    code: "CONTEXT_TOO_LONG",
  },
  {
    status: 429,
    headers: { "retry-after": "13", "anthropic-ratelimit-requests-remaining": "0" },
    body: body(
      "rate_limit_error",
      "This request would exceed your organization's rate limit of 50 requests per minute.",
    ),
    code: "RATE_LIMITED",
    retryAfterMs: 13_000,
  },
  { status: 500, body: body("api_error", "Internal server error"), code: "VENDOR_FAILED" },
  { status: 504, body: body("timeout_error", "Request timed out"), code: "VENDOR_FAILED" },
  {
    status: 529,
    headers: { "x-should-retry": "true" },
    body: body("overloaded_error", "Overloaded"),
    code: "OVERLOADED",
  },
  { status: 200, headers: stream, body: event("overloaded_error", "Overloaded"), code: "OVERLOADED" },
  { status: 200, headers: stream, body: event("rate_limit_error", "Rate limited"), code: "RATE_LIMITED" },
];
