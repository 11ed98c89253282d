import type { VendorError } from "../wire/vendor-error.ts";

/** https://api-docs.deepseek.com/quick_start/error_codes */
function body(message: string, type: string): string {
  return JSON.stringify({ error: { message, type, param: null, code: "invalid_request_error" } });
}

export const deepSeekErrors: readonly VendorError[] = [
  { status: 400, body: body("Invalid Format", "invalid_request_error"), code: "BAD_REQUEST" },
  {
    status: 400,
    body: body("This model's maximum context length is 131072 tokens.", "invalid_request_error"),
    code: "CONTEXT_TOO_LONG",
  },
  {
    status: 401,
    body: body("Authentication Fails, Your api key: ****abcd is invalid", "authentication_error"),
    code: "UNAUTHORIZED",
  },
  { status: 402, body: body("Insufficient Balance", "unknown_error"), code: "NO_CREDIT" },
  { status: 422, body: body("Invalid Parameters", "invalid_request_error"), code: "BAD_REQUEST" },
  { status: 429, body: body("Rate Limit Reached", "rate_limit_error"), code: "RATE_LIMITED" },
  { status: 500, body: body("Server Error", "server_error"), code: "VENDOR_FAILED" },
  { status: 503, body: "Server Overloaded", headers: { "content-type": "text/plain" }, code: "OVERLOADED" },
];
