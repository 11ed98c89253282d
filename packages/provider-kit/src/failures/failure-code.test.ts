import { expect, test } from "bun:test";
import { errorNames, failureOf } from "./failure-code.ts";

/** From vendors' documentation and bug reports: status, body, expected code. */
const answers = [
  // Anthropic: https://platform.claude.com/docs/en/api/errors
  [
    400,
    anthropic("invalid_request_error", "prompt is too long: 214201 tokens > 200000 maximum"),
    "CONTEXT_TOO_LONG",
  ],
  [
    400,
    anthropic(
      "invalid_request_error",
      "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
    ),
    "CONTEXT_TOO_LONG",
  ],
  [400, anthropic("invalid_request_error", "messages: at least one message is required"), "BAD_REQUEST"],
  [
    400,
    anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    "NO_CREDIT",
  ],
  [400, anthropic("billing_error", "Billing problem"), "NO_CREDIT"],
  [401, anthropic("authentication_error", "invalid x-api-key"), "UNAUTHORIZED"],
  [402, anthropic("billing_error", "Billing problem"), "NO_CREDIT"],
  [403, anthropic("permission_error", "Not allowed"), "UNAUTHORIZED"],
  [404, anthropic("not_found_error", "model: claude-none"), "BAD_REQUEST"],
  [413, anthropic("request_too_large", "Request exceeds the maximum size"), "CONTEXT_TOO_LONG"],
  [429, anthropic("rate_limit_error", "This request would exceed your organization's rate limit"), "RATE_LIMITED"],
  [500, anthropic("api_error", "Internal server error"), "VENDOR_FAILED"],
  [529, anthropic("overloaded_error", "Overloaded"), "OVERLOADED"],
  // OpenAI: https://platform.openai.com/docs/guides/error-codes
  [
    400,
    openai("context_length_exceeded", "This model's maximum context length is 128000 tokens."),
    "CONTEXT_TOO_LONG",
  ],
  [400, openai(null, "Your input exceeds the context window of this model."), "CONTEXT_TOO_LONG"],
  [400, openai(null, "Context length exceeded"), "CONTEXT_TOO_LONG"],
  [400, openai("billing_hard_limit_reached", "Billing hard limit has been reached"), "NO_CREDIT"],
  [408, openai(null, "Request timeout"), "OVERLOADED"],
  [409, openai(null, "The request conflicts with another one"), "OVERLOADED"],
  [503, openai("server_error", "The engine is currently overloaded"), "OVERLOADED"],
  [500, openai("server_error", "The server had an error"), "VENDOR_FAILED"],
  [
    400,
    openai(null, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    "CONTEXT_TOO_LONG",
  ], // xAI
  [429, openai("insufficient_quota", "You exceeded your current quota"), "NO_CREDIT"],
  [429, openai("rate_limit_exceeded", "Rate limit reached for tokens per min"), "RATE_LIMITED"],
  [401, openai("invalid_api_key", "Incorrect API key provided"), "UNAUTHORIZED"],
  [404, openai("model_not_found", "The model does not exist"), "BAD_REQUEST"],
  [402, openai("invalid_request_error", "Insufficient Balance"), "NO_CREDIT"], // DeepSeek
  [400, llamaCpp("exceed_context_size_error", "the request is too long"), "CONTEXT_TOO_LONG"], // llama.cpp
  // Gemini: https://ai.google.dev/gemini-api/docs/troubleshooting
  [
    400,
    gemini(
      "INVALID_ARGUMENT",
      "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
    ),
    "CONTEXT_TOO_LONG",
  ],
  [400, gemini("INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."), "UNAUTHORIZED"],
  [400, gemini("INVALID_ARGUMENT", "Unknown name"), "BAD_REQUEST"],
  [403, gemini("PERMISSION_DENIED", "Denied"), "UNAUTHORIZED"],
  [429, gemini("RESOURCE_EXHAUSTED", "Resource has been exhausted"), "RATE_LIMITED"],
  [503, listed(gemini("UNAVAILABLE", "The model is overloaded.")), "OVERLOADED"],
] as const;

interface Said {
  readonly message: string;
  readonly body: unknown;
}

function anthropic(type: string, message: string): Said {
  return { message, body: { type: "error", error: { type, message } } };
}

function openai(code: string | null, message: string): Said {
  return { message, body: { error: { message, type: "some_type", param: null, code } } };
}

function llamaCpp(type: string, message: string): Said {
  return { message, body: { error: { code: 400, type, message } } };
}

function listed({ message, body }: Said): Said {
  return { message, body: [body] };
}

function gemini(status: string, message: string): Said {
  return { message, body: { error: { code: 400, message, status, details: [] } } };
}

for (const [status, { message, body }, code] of answers) {
  test(`failureOf returns ${code} for ${status} ${JSON.stringify(body)}`, () => {
    const failure = failureOf({ status, message, names: errorNames(body) }, "said");

    expect(failure.code).toBe(code);
    expect(failure.isRetryable).toBe(code === "RATE_LIMITED" || code === "OVERLOADED" || code === "VENDOR_FAILED");
    expect(failure.message).toStartWith("said");
  });
}

test("failureOf classifies an error in a stream by its name", () => {
  const streamed = (type: string, message = "m"): string =>
    failureOf({ status: undefined, message, names: [type] }, "said").code;

  for (const [name, code] of [
    ["authentication_error", "UNAUTHORIZED"],
    ["permission_error", "UNAUTHORIZED"],
    ["rate_limit_error", "RATE_LIMITED"],
    ["rate_limit_exceeded", "RATE_LIMITED"],
    ["RESOURCE_EXHAUSTED", "RATE_LIMITED"],
    ["overloaded_error", "OVERLOADED"],
    ["UNAVAILABLE", "OVERLOADED"],
    ["api_error", "VENDOR_FAILED"],
    ["server_error", "VENDOR_FAILED"],
    ["INTERNAL", "VENDOR_FAILED"],
    ["invalid_request_error", "BAD_REQUEST"],
    ["not_found_error", "BAD_REQUEST"],
    ["model_not_found", "BAD_REQUEST"],
  ] as const)
    expect([name, streamed(name)]).toEqual([name, code]);
  expect(streamed("invalid_request_error", "prompt is too long: 2 tokens > 1 maximum")).toBe("CONTEXT_TOO_LONG");
  expect(streamed("context_length_exceeded")).toBe("CONTEXT_TOO_LONG");
  expect(streamed("something_new")).toBe("FAILED");
});

test("failureOf suggests model name or address for 404", () => {
  const failure = failureOf({ status: 404, message: "Not Found", names: [] }, "said");

  expect(failure.message).toMatch(/model's name.*base_url/);
});

test("errorNames returns none for values that are not errors", () => {
  for (const sent of [undefined, null, "text", 7, [], { error: "text" }, { error: { type: { a: 1 } } }])
    expect(errorNames(sent)).toEqual([]);
});

test("failureOf does not retry a request larger than the rate limit per minute", () => {
  const message =
    "Request too large for gpt-4o in organization o on tokens per min (TPM): Limit 30000, Requested 40000.";
  const rate = "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.";
  const of = (text: string): unknown =>
    failureOf({ status: 429, message: text, names: ["rate_limit_exceeded"] }, text);

  expect(of(message)).toMatchObject({ code: "RATE_LIMITED", isRetryable: false });
  expect(of(rate)).toMatchObject({ code: "RATE_LIMITED", isRetryable: true });
});
