import { APICallError } from "@ai-sdk/provider";
import type { ModelFailure } from "@incipit/service-contract";
import { KernelError } from "@incipit/kernel";

export interface FailureOptions {
  /** Name before the slash. */
  readonly provider: string;
  /** Taken out of every message. */
  readonly key: string | undefined;
}

/** What a vendor's package threw, in the words of the provider interface; never holds the key. */
export function toFailure(error: unknown, options: FailureOptions): ModelFailure {
  const failure = classify(error, options.provider);
  const { key } = options;
  if (key === undefined || key === "") return failure;
  return { ...failure, message: failure.message.replaceAll(key, "[key]") };
}

function classify(error: unknown, provider: string): ModelFailure {
  if (KernelError.is(error)) return { code: error.code, message: error.message, isRetryable: false };
  if (APICallError.isInstance(error)) return classifyAnswer(error, provider);
  const name = error instanceof Error ? error.name : "";
  const message = error instanceof Error ? error.message : String(error);
  if (/JSONParse|TypeValidation|InvalidResponse|EmptyResponse/.test(name)) {
    return {
      code: "BAD_RESPONSE",
      message: `"${provider}" sent what is no valid reply: ${message}`,
      isRetryable: false,
    };
  }
  return { code: "FAILED", message: `The call to "${provider}" failed: ${message}`, isRetryable: false };
}

function classifyAnswer(error: APICallError, provider: string): ModelFailure {
  const { statusCode: status, message } = error;
  if (status === undefined) {
    if (KernelError.is(error.cause)) return classify(error.cause, provider);
    return {
      code: "UNREACHABLE",
      message: `Cannot reach "${provider}": ${message}; check base_url and the network`,
      isRetryable: true,
    };
  }
  const said = `"${provider}" answered ${status}: ${message}`;
  if (status === 200)
    return {
      code: "BAD_RESPONSE",
      message: `"${provider}" sent what is no valid reply: ${message}`,
      isRetryable: false,
    };
  if (status === 401 || status === 403)
    return { code: "UNAUTHORIZED", message: `${said}; check the key`, isRetryable: false };
  if (status === 429) return withRetryAfter({ code: "RATE_LIMITED", message: said, isRetryable: true }, error);
  if (status === 408 || status === 409 || status >= 500)
    return withRetryAfter({ code: "OVERLOADED", message: said, isRetryable: true }, error);
  return { code: "BAD_REQUEST", message: said, isRetryable: false };
}

/** `Retry-After` in seconds, or `retry-after-ms` as OpenAI sends it. */
function withRetryAfter(failure: ModelFailure, error: APICallError): ModelFailure {
  const milliseconds = Number(error.responseHeaders?.["retry-after-ms"] ?? Number.NaN);
  const seconds = Number(error.responseHeaders?.["retry-after"] ?? Number.NaN);
  const retryAfterMs = Number.isFinite(milliseconds) ? milliseconds : seconds * 1_000;
  return Number.isFinite(retryAfterMs) && retryAfterMs >= 0 ? { ...failure, retryAfterMs } : failure;
}
