import type { VendorError } from "../wire/vendor-error.ts";
import { serverSentEvent } from "../wire/wire-format.ts";

interface Said {
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  readonly param?: string | null;
}

/** https://platform.openai.com/docs/guides/error-codes */
function body({ message, type, code, param = null }: Said): string {
  return JSON.stringify({ error: { message, type, param, code } }, null, 2);
}

const invalid = "invalid_request_error";

export const openAiErrors: readonly VendorError[] = [
  {
    status: 400,
    body: body({ message: "Invalid type for 'messages[0].content'.", type: invalid, code: "invalid_type" }),
    code: "BAD_REQUEST",
  },
  {
    status: 400,
    body: body({
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
      type: invalid,
      param: "messages",
      code: "context_length_exceeded",
    }),
    code: "CONTEXT_TOO_LONG",
  },
  {
    status: 401,
    body: body({ message: "Incorrect API key provided: sk-****.", type: invalid, code: "invalid_api_key" }),
    code: "UNAUTHORIZED",
  },
  {
    status: 403,
    body: body({
      message: "Country, region, or territory not supported",
      type: "request_forbidden",
      code: "unsupported_country_region_territory",
    }),
    code: "UNAUTHORIZED",
  },
  {
    status: 404,
    body: body({ message: "The model `gpt-none` does not exist.", type: invalid, code: "model_not_found" }),
    code: "BAD_REQUEST",
  },
  {
    status: 429,
    headers: { "retry-after-ms": "642", "x-ratelimit-remaining-tokens": "0" },
    body: body({
      message: "Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000. Please try again in 642ms.",
      type: "tokens",
      code: "rate_limit_exceeded",
    }),
    code: "RATE_LIMITED",
    retryAfterMs: 642,
  },
  {
    status: 429,
    body: body({
      message: "You exceeded your current quota, please check your plan and billing details.",
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
    code: "NO_CREDIT",
  },
  {
    status: 500,
    body: body({ message: "The server had an error processing your request.", type: "server_error", code: null }),
    code: "VENDOR_FAILED",
  },
  {
    status: 502,
    headers: { "content-type": "text/html" },
    body: "<html><head><title>502 Bad Gateway</title></head></html>",
    code: "VENDOR_FAILED",
  },
  {
    status: 503,
    body: body({ message: "That model is currently overloaded.", type: "server_error", code: null }),
    code: "OVERLOADED",
  },
];

const stream = { "content-type": "text/event-stream" };

/** https://platform.openai.com/docs/api-reference/responses-streaming/response/failed */
function failed(code: string, message: string): string {
  const response = { id: "resp_1", object: "response", created_at: 0, model: "m", output: [] };
  return (
    serverSentEvent({ type: "response.created", sequence_number: 0, response }, "response.created") +
    serverSentEvent(
      { type: "response.failed", sequence_number: 1, response: { ...response, error: { code, message } } },
      "response.failed",
    )
  );
}

/** Errors of the Responses API that arrive within a stream. */
export const openAiResponsesErrors: readonly VendorError[] = [
  { status: 200, headers: stream, body: failed("server_error", "An error occurred."), code: "VENDOR_FAILED" },
  {
    status: 200,
    headers: stream,
    body: failed("rate_limit_exceeded", "Rate limit reached."),
    code: "RATE_LIMITED",
  },
  {
    status: 200,
    headers: stream,
    body: failed("context_length_exceeded", "Your input exceeds the context window of this model."),
    code: "CONTEXT_TOO_LONG",
  },
];
