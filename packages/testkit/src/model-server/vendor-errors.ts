import { anthropicErrors } from "./anthropic/anthropic-errors.ts";
import { deepSeekErrors } from "./deepseek/deepseek-errors.ts";
import { geminiErrors } from "./gemini/gemini-errors.ts";
import { openAiErrors, openAiResponsesErrors } from "./openai/openai-errors.ts";
import type { WireName } from "./wire/wire-format.ts";

/** An answer of a vendor that is no reply, as its pages and the reports of its users have it, and what it means. */
export interface VendorError {
  /** 200: the stream had begun. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of `ModelFailure`. */
  readonly code: string;
  readonly retryAfterMs?: number;
}

/** What is worth another try, when nothing of a reply was shown. */
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
