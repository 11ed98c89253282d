import { expect, test } from "bun:test";
import { openAiErrorOf, openAiErrorOfFailure } from "./openai-error.ts";

// Values on which clients depend. Adding values is compatible, removing or changing any is not.

const failures = [
  ["BAD_REQUEST", 400, "provider_refused_request", "invalid_request_error"],
  ["INPUT_UNSUPPORTED", 400, "unsupported_input", "invalid_request_error"],
  ["CONTEXT_TOO_LONG", 400, "context_length_exceeded", "invalid_request_error"],
  ["RATE_LIMITED", 429, "rate_limit_exceeded", "rate_limit_error"],
  ["SPEND_LIMIT_REACHED", 429, "insufficient_quota", "rate_limit_error"],
  ["VENDOR_FAILED", 502, "provider_failed", "server_error"],
  ["OVERLOADED", 503, "provider_overloaded", "server_error"],
  ["NOT_CONFIGURED", 503, "provider_not_configured", "server_error"],
  ["CAPABILITY_DENIED", 503, "capability_denied", "server_error"],
  ["TIMEOUT", 504, "provider_timeout", "server_error"],
  ["UNAUTHORIZED", 502, "provider_unauthorized", "server_error"],
  ["STORAGE_FAILED", 507, "storage_failed", "server_error"],
  ["SERVICE_UNAVAILABLE", 503, "service_unavailable", "server_error"],
  ["SOMETHING_ELSE", 502, "something_else", "server_error"],
] as const;

test("openAiErrorOfFailure maps each failure to OpenAI's format", () => {
  for (const [failure, status, code, type] of failures)
    expect(openAiErrorOfFailure(failure, "why")).toEqual({
      status,
      error: { message: "why", type, param: null, code },
    });
});

const refusals = [
  ["UNAUTHORIZED", 401, "invalid_api_key", "invalid_request_error"],
  ["MODEL_UNKNOWN", 404, "model_not_found", "invalid_request_error"],
  ["PROFILE_UNKNOWN", 400, "profile_not_found", "invalid_request_error"],
  ["ROUTE_UNKNOWN", 404, "unknown_url", "invalid_request_error"],
  ["TOO_MANY_RUNNING", 429, "rate_limit_exceeded", "rate_limit_error"],
  ["BODY_TOO_LARGE", 413, "body_too_large", "invalid_request_error"],
  ["INTERNAL", 500, "internal", "server_error"],
] as const;

test("openAiErrorOf maps each error to OpenAI's format, with the first invalid field", () => {
  for (const [refusal, status, code, type] of refusals)
    expect(openAiErrorOf(refusal, "why")).toEqual({ status, error: { message: "why", type, param: null, code } });
  const params = ['"messages.0.content"', '"a.1" and "b"', "the body", '"n"'].map(
    (field) => openAiErrorOf("INVALID_REQUEST", "why", [{ field }, { field: '"other"' }]).error.param,
  );
  expect(params).toEqual(["messages[0].content", "a[1]", null, "n"]);
});
