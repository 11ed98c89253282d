import type { ModelFailure } from "@incipit/service-contract";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";

/** What a vendor said of an error, with its answer or in the middle of its stream. */
export interface SaidError {
  /** HTTP status; `undefined`: the failure came as an event, and its code is not a status. */
  readonly status: number | undefined;
  readonly message: string;
  /** Its own names of the error, under whichever key. */
  readonly names: readonly string[];
}

const name = z.union([z.string(), z.number()]).nullish().catch(null);
const errorSchema = lazySchema(() => z.object({ type: name, code: name, status: name }));
/** `{ error: … }` as OpenAI, Anthropic, DeepSeek and Gemini have it, a list of one of these, or the error itself. */
const bodySchema = lazySchema(() =>
  z.union([
    z.object({ error: errorSchema }).transform(({ error }) => error),
    z.tuple([z.object({ error: errorSchema })]).transform(([{ error }]) => error),
    errorSchema,
  ]),
);

/** The names of an error in what a vendor sent, parsed; none where it has another shape. */
export function errorNames(sent: unknown): readonly string[] {
  const { data } = bodySchema.safeParse(sent);
  return Object.values(data ?? {}).flatMap((value) => (typeof value === "string" ? [value] : []));
}

/**
 * What vendors say of a request that is longer than the model's window. Anthropic: "prompt is too long: 210000 tokens > 200000
 * maximum", "input length and `max_tokens` exceed context limit". OpenAI: "maximum context length is 128000 tokens", "Your
 * input exceeds the context window of this model". Gemini: "The input token count (N) exceeds the maximum number of tokens
 * allowed". llama.cpp: "the request exceeds the available context size". xAI: "This model's maximum prompt length is 131072 but
 * the request contains 537812 tokens."
 */
const tooLong = [
  /prompt is too long/i,
  /maximum context length/i,
  /exceeds? (?:the )?(?:available |model's )?context (?:window|limit|length|size)/i,
  /context length exceeded/i,
  /maximum prompt length is/i,
  /input token count.{0,40}exceeds the maximum number of tokens/i,
];
const tooLongNames = new Set(["context_length_exceeded", "exceed_context_size_error", "request_too_large"]);

/** OpenAI, of one request that is more than a whole minute's: "Request too large for gpt-4o … on tokens per min (TPM): Limit 30000, Requested 40000." */
const tooLargeForRate = /\brequest too large\b.*\bper min\b/is;

/** OpenAI: https://platform.openai.com/docs/guides/error-codes. Anthropic: https://platform.claude.com/docs/en/api/errors */
const noCreditNames = new Set(["insufficient_quota", "billing_error", "billing_hard_limit_reached"]);

/** Names that say what a status would, where there is none or another one: errors in the middle of a stream. */
const namedStatus = new Map([
  ["authentication_error", 401],
  ["permission_error", 403],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["RESOURCE_EXHAUSTED", 429],
  ["overloaded_error", 529],
  ["api_error", 500],
  ["server_error", 500],
  ["INTERNAL", 500],
  ["UNAVAILABLE", 503],
  ["invalid_request_error", 400],
  ["context_length_exceeded", 400],
  ["not_found_error", 404],
  ["model_not_found", 404],
]);

/** It has no room at this moment, or something else had: 529 is Anthropic's. Any other from 500 on is a failure of its own. */
const overloaded = new Set([408, 409, 503, 529]);

/** One table for all vendors: what they say in their own words, as one of the codes of `ModelFailure`. */
export function failureOf({ status: answered, message, names }: SaidError, said: string): ModelFailure {
  const sentence = said.replace(/[.;]$/, ""); // What to do follows it.
  const named = names.map((each) => namedStatus.get(each)).find((each) => each !== undefined);
  const status = answered ?? named;
  if (status === undefined) return { code: "FAILED", message: said, isRetryable: false };
  if (status === 402 || names.some((each) => noCreditNames.has(each)) || /credit balance is too low/i.test(message))
    return {
      code: "NO_CREDIT",
      message: `${sentence}; add credit at the vendor, or take another key`,
      isRetryable: false,
    };
  if (status === 401 || status === 403 || message.includes("API key not valid"))
    return { code: "UNAUTHORIZED", message: `${sentence}; check the key`, isRetryable: false };
  if (status === 429 && tooLargeForRate.test(message))
    return {
      code: "RATE_LIMITED",
      message: `${sentence}; compact the conversation, or ask the vendor for a higher limit`,
      isRetryable: false,
    };
  if (status === 429) return { code: "RATE_LIMITED", message: said, isRetryable: true };
  if (status >= 500 && !overloaded.has(status)) return { code: "VENDOR_FAILED", message: said, isRetryable: true };
  if (overloaded.has(status)) return { code: "OVERLOADED", message: said, isRetryable: true };
  if (names.some((each) => tooLongNames.has(each)) || tooLong.some((pattern) => pattern.test(message)))
    return {
      code: "CONTEXT_TOO_LONG",
      message: `${sentence}; compact the conversation, or take a model with a larger window`,
      isRetryable: false,
    };
  const hint = "; check the model's name (incipit models) and base_url";
  return { code: "BAD_REQUEST", message: status === 404 ? sentence + hint : said, isRetryable: false };
}
