import { anthropicErrors } from "./anthropic/anthropic-errors.ts";
import { deepSeekErrors } from "./deepseek/deepseek-errors.ts";
import { geminiErrors } from "./gemini/gemini-errors.ts";
import { openAiErrors, openAiResponsesErrors } from "./openai/openai-errors.ts";
import type { VendorError } from "./wire/vendor-error.ts";
import type { WireName } from "./wire/wire-format.ts";

/** Worth a retry when no output was shown. */
const retryable = new Set(["RATE_LIMITED", "OVERLOADED", "VENDOR_FAILED"]);

export function isRetryable({ code }: VendorError): boolean {
  return retryable.has(code);
}

export const vendorErrors: Readonly<Record<WireName, readonly VendorError[]>> = {
  "openai-chat": openAiErrors,
  deepseek: deepSeekErrors,
  "openai-responses": [...openAiErrors, ...openAiResponsesErrors],
  anthropic: anthropicErrors,
  gemini: geminiErrors,
};
