import type { VendorError } from "../wire/vendor-error.ts";

interface Said {
  readonly code: number;
  readonly status: string;
  readonly message: string;
  readonly details?: readonly object[];
}

/** https://ai.google.dev/gemini-api/docs/troubleshooting, https://google.aip.dev/193 */
function body({ code, status, message, details = [] }: Said): string {
  return JSON.stringify({ error: { code, message, status, details } }, null, 2);
}

const overloaded = {
  code: 503,
  status: "UNAVAILABLE",
  message: "The model is overloaded. Please try again later.",
};
const quota = {
  code: 429,
  status: "RESOURCE_EXHAUSTED",
  message: "You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.",
};
const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" };

export const geminiErrors: readonly VendorError[] = [
  {
    status: 400,
    body: body({
      code: 400,
      status: "INVALID_ARGUMENT",
      message: "API key not valid. Please pass a valid API key.",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "API_KEY_INVALID",
          domain: "googleapis.com",
          metadata: { service: "generativelanguage.googleapis.com" },
        },
      ],
    }),
    code: "UNAUTHORIZED",
  },
  {
    status: 400,
    body: body({
      code: 400,
      status: "INVALID_ARGUMENT",
      message:
        "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    }),
    code: "BAD_REQUEST",
  },
  {
    status: 400,
    body: body({
      code: 400,
      status: "INVALID_ARGUMENT",
      message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    }),
    code: "CONTEXT_TOO_LONG",
  },
  {
    status: 400,
    body: body({
      code: 400,
      status: "FAILED_PRECONDITION",
      message: "User location is not supported for the API use.",
    }),
    code: "BAD_REQUEST",
  },
  {
    status: 403,
    body: body({ code: 403, status: "PERMISSION_DENIED", message: "The caller does not have permission" }),
    code: "UNAUTHORIZED",
  },
  {
    status: 404,
    body: body({
      code: 404,
      status: "NOT_FOUND",
      message: "models/gemini-none is not found for API version v1beta, or is not supported for generateContent.",
    }),
    code: "BAD_REQUEST",
  },
  {
    status: 429,
    body: body({ ...quota, details: [retryInfo] }),
    code: "RATE_LIMITED",
    retryAfterMs: 34_070,
  },
  {
    status: 500,
    body: body({ code: 500, status: "INTERNAL", message: "An internal error has occurred." }),
    code: "VENDOR_FAILED",
  },
  { status: 503, body: body(overloaded), code: "OVERLOADED" },
  {
    status: 504,
    body: body({
      code: 504,
      status: "DEADLINE_EXCEEDED",
      message: "Deadline expired before operation could complete.",
    }),
    code: "VENDOR_FAILED",
  },
  {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: `data: ${JSON.stringify({ error: overloaded })}\r\n\r\n`,
    code: "OVERLOADED",
  },
];
