import type { ModelFailure } from "@incipit/service-contract";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";

export interface SaidError {
  /** `undefined` for an error event without one. */
  readonly status: number | undefined;
  readonly message: string;
  readonly names: readonly string[];
}

const name = z.union([z.string(), z.number()]).nullish().catch(null);
const errorSchema = lazySchema(() => z.object({ type: name, code: name, status: name }));
/** `{ error: … }` of OpenAI, Anthropic, DeepSeek and Gemini, a list of one, or the error itself. */
const bodySchema = lazySchema(() =>
  z.union([
    z.object({ error: errorSchema }).transform(({ error }) => error),
    z.tuple([z.object({ error: errorSchema })]).transform(([{ error }]) => error),
    errorSchema,
  ]),
);

export function errorNames(sent: unknown): readonly string[] {
  const { data } = bodySchema.safeParse(sent);
  return Object.values(data ?? {}).flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value)] : [],
  );
}

/**
 * Messages for a request that exceeds the context window: Anthropic, OpenAI, Gemini, xAI, llama.cpp, vLLM, SGLang,
 * TGI, Ollama, LM Studio, Bedrock, Moonshot, MiniMax, Alibaba, Volcano, z.ai, Cerebras, Copilot, LiteLLM, Mistral.
 * Examples: `overflowQuirks` of the test kit.
 */
const tooLong = [
  /\bprompt (?:\([^)]*\) )?(?:is )?too long\b/i,
  /\bprompt exceeds (?:the )?max(?:imum)? length\b/i,
  /\binput is too long\b/i,
  /\bmaximum context length\b/i,
  /\bexceed(?:s|ed)? (?:the )?(?:(?:available|model's|max|maximum) ){0,2}context[ -]?(?:window|limit|length|size)\b/i,
  /\bcontext[ -]?(?:window|length) exceed(?:s|ed)\b/i,
  /\bContextWindowExceeded/,
  /\bcontext (?:the )?overflows\b/i,
  /\bgreater than the context length\b/i,
  /\bmaximum prompt length is\b/i,
  /\binput token count.{0,40}exceeds the maximum number of tokens\b/i,
  /\bprompt token count of \d+ exceeds\b/i,
  /\binput tokens exceed\b/i,
  /\bexceeded model token limit\b/i,
  /\btokens in request more than max tokens\b/i,
  /\brange of input length should be\b/i,
  /\binput length \(?\d+\)? exceeds\b/i,
  /\blonger than the (?:maximum model length|model's context length)\b/i,
  /`inputs` (?:tokens \+ `max_new_tokens` must be|must have less than)/i,
  /\breduce the length of the (?:messages|prompt|input)\b/i,
  /\btotal message size \d+ exceeds\b/i,
  /\btoo large for model with \d+ maximum context\b/i,
];
const tooLongNames = new Set([
  "context_length_exceeded",
  "exceed_context_size_error",
  "model_max_prompt_tokens_exceeded",
  "request_too_large",
]);

/**
 * OpenAI's message for a request that exceeds the limit per minute: "Request too large for gpt-4o … on tokens per
 * min (TPM): Limit 30000, Requested 40000." Groq sends the same with 413.
 */
const tooLargeForRate = /\brequest too large\b.*\bper min(?:ute)?\b/is;

/** In UTF-16 units: the error comes first. */
const maxLookedAt = 4_000;

/** Limits of the output, a file, a field, or a rate. */
const otherLimits = [
  /\bmax_(?:completion_|output_)?tokens\b['"`]?(?: or ['"`]?max_[a-z_]+['"`]?)?(?: \(\d+\))? (?:is too large|exceeds|must be)\b/i,
  /\b(?:image|audio|video|file|document|attachment)s?\b.{0,40}\b(?:too (?:large|long|big)|exceeds?)\b/i,
  /\bat most \d+ characters\b/i,
  /\bstring too long\b/i,
  /\b(?:per|a) (?:minute|hour|day)\b/i,
];
/** Unusable or too many images and documents. */
const refusedFiles = [
  /\bcould not process (?:the )?(?:image|picture|pdf|document|file|audio|video)\b/i,
  /\b(?:invalid|unsupported|corrupt(?:ed)?|malformed|unreadable) (?:image|picture|pdf|document|audio|video|file (?:type|format|data)|base64 image)\b/i,
  /\b(?:image|picture|pdf|document|audio|video|attachment)s?\b.{0,80}\b(?:exceeds?|too (?:large|long|big|many|small)|(?:is|are) not (?:supported|valid|allowed)|(?:is|are) (?:unsupported|corrupt|encrypted|password)|(?:does|do) not (?:match|represent)|cannot be|could not be|failed to|not a valid)\b/i,
  /\b(?:failed|unable|cannot|could not|error) (?:to )?(?:decode|load|read|parse|open|process|download|fetch|identify)(?:ing)? (?:the )?(?:input )?(?:image|picture|pdf|document|audio|video)\b/i,
  /\btoo many (?:images|pictures|documents|files|pages)\b/i,
  /\bat most \d+ (?:image|picture|document|file)/i,
  /\b(?:does not|doesn't|cannot|can't|do not|not) (?:support|accept|take|process) (?:image|picture|pdf|document|audio|video|vision|multimodal|file)/i,
  /\bimage_url\b.{0,60}\b(?:only supported|not supported|invalid|unsupported|unknown variant)\b/i,
  /\bunknown variant [`'"]image_url\b/i,
  /\bpassword[- ]protected\b.{0,40}\bpdf\b|\bpdf\b.{0,40}\bpassword[- ]protected\b/i,
];
/** TGI's message for prompt and output together; if the prompt is the smaller part, it is not too long. */
const givenTokens = /must be <= \d+\. Given: (?<prompt>\d+) `inputs` tokens and (?<output>\d+) `max_new_tokens`/i;

/** With any status. */
const busy = [
  /\bservers? (?:is|are) (?:currently )?(?:busy|overloaded)\b/i,
  /\b(?:engine|model|system|service) is (?:currently )?overloaded\b/i,
  /\b(?:is |are )?(?:currently )?at (?:full )?capacity\b/i,
  /\bover ?loaded\b.{0,40}\b(?:try again|retry)\b/i,
  /\btemporarily unavailable\b/i,
];
/** Gateways report failures of other servers this way, including permanent ones. */
const upstream = /\bupstream (?:error|request failed|connect error)\b/i;
const staysWrong = /\b(?:invalid|unsupported|not supported|required|schema|unknown|not found)\b/i;
const busyNames = new Set([
  "server_busy",
  "engine_overloaded_error",
  "overloaded",
  "service_unavailable",
  "service_unavailable_error",
]);

/** An immediate retry is useless, and the vendor reports when the plan resets. */
const usedUp = [
  /\busage limit (?:reached|has been reached|exceeded)\b/i,
  /\b(?:daily|weekly|monthly|5[ -]hour) (?:usage )?limit\b/i,
];
const usedUpNames = new Set(["usage_limit_reached", "1308", "1310", "FreeUsageLimitError"]);

/**
 * OpenAI: https://platform.openai.com/docs/guides/error-codes. Anthropic:
 * https://platform.claude.com/docs/en/api/errors
 */
const noCreditNames = new Set(["insufficient_quota", "billing_error", "billing_hard_limit_reached"]);

/** Errors in a stream, for example, have no suitable status. */
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

/** 529 is Anthropic's. Other statuses from 500 on are vendor failures. */
const overloaded = new Set([408, 409, 503, 529]);

/** Another key would not help: a location or content restriction. */
const otherRefusals = [
  {
    statuses: [400, 403, 451],
    pattern:
      /\b(?:country|region|territory|location)\b.{0,60}\b(?:not (?:supported|available|allowed)|unsupported|restricted|blocked)\b/i,
    code: (status: number) => (status === 403 ? "UNAUTHORIZED" : "BAD_REQUEST"),
    hint: "the vendor does not serve this place; take another provider",
  },
  {
    statuses: [403],
    pattern:
      /\b(?:requires moderation|(?:input|prompt|content|request) (?:was|has been|is) (?:flagged|blocked)|violat(?:es|ed|ing|ion of)\b.{0,40}\b(?:polic(?:y|ies)|terms))\b/i,
    code: () => "BAD_REQUEST",
    hint: "change the request, or choose another model",
  },
] as const;

export function failureOf({ status: answered, message: all, names }: SaidError, said: string): ModelFailure {
  const message = all.slice(0, maxLookedAt);
  const sentence = said.replace(/[.;]$/, "");
  const named = names.map((each) => namedStatus.get(each)).find((each) => each !== undefined);
  const isUpstream = (upstream.test(message) || names.includes("upstream_error")) && !staysWrong.test(message);
  const isBusy =
    isUpstream || names.some((each) => busyNames.has(each)) || busy.some((pattern) => pattern.test(message));
  const status = answered ?? named ?? (isBusy ? 503 : undefined);
  const isTooLong = names.some((each) => tooLongNames.has(each)) || saysTooLong(message);
  if (status === undefined && isTooLong) return tooLongFailure(sentence);
  if (status === undefined) return { code: "FAILED", message: said, isRetryable: false };
  if (status === 402 || names.some((each) => noCreditNames.has(each)) || /credit balance is too low/i.test(message))
    return {
      code: "NO_CREDIT",
      message: `${sentence}; add credit at the vendor, or take another key`,
      isRetryable: false,
    };
  const other = otherRefusals.find(
    ({ statuses, pattern }) => statuses.some((each) => each === status) && pattern.test(message),
  );
  if (other !== undefined)
    return { code: other.code(status), message: `${sentence}; ${other.hint}`, isRetryable: false };
  if (status === 401 || status === 403 || message.includes("API key not valid"))
    return { code: "UNAUTHORIZED", message: `${sentence}; check the key`, isRetryable: false };
  if ((status === 429 || status === 413) && tooLargeForRate.test(message))
    return {
      code: "RATE_LIMITED",
      message: `${sentence}; compact the conversation, or ask the vendor for a higher limit`,
      isRetryable: false,
    };
  if (status === 429 && (names.some((each) => usedUpNames.has(each)) || saysUsedUp(message)))
    return {
      code: "RATE_LIMITED",
      message: `${sentence}; continue then, or with another model`,
      isRetryable: false,
    };
  if (status === 429) return { code: "RATE_LIMITED", message: said, isRetryable: true };
  // Also with 500, the generic error of some servers.
  if (isTooLong || (status === 413 && !otherLimits.some((pattern) => pattern.test(message))))
    return tooLongFailure(sentence);
  if (overloaded.has(status) || isBusy) return { code: "OVERLOADED", message: said, isRetryable: true };
  if (status >= 500) return { code: "VENDOR_FAILED", message: said, isRetryable: true };
  if (status === 400 || status === 413 || status === 415 || status === 422)
    if (saysFileRefused(message)) return { code: "FILE_REFUSED", message: said, isRetryable: false };
  const hint = "; check the model's name (incipit models) and base_url";
  return { code: "BAD_REQUEST", message: status === 404 ? sentence + hint : said, isRetryable: false };
}

function saysFileRefused(message: string): boolean {
  return refusedFiles.some((pattern) => pattern.test(message));
}

function saysTooLong(message: string): boolean {
  if (otherLimits.some((pattern) => pattern.test(message))) return false;
  const { prompt, output } = givenTokens.exec(message)?.groups ?? {};
  if (Number(prompt) < Number(output)) return false;
  return tooLong.some((pattern) => pattern.test(message));
}

/** A short retry delay shows that a longer limit mentioned with it was not reached. */
function saysUsedUp(message: string): boolean {
  return (
    !/\b(?:retry|try again) in \d+(?:\.\d+)? ?m?s/i.test(message) && usedUp.some((pattern) => pattern.test(message))
  );
}

function tooLongFailure(sentence: string): ModelFailure {
  return {
    code: "CONTEXT_TOO_LONG",
    message: `${sentence}; compact the conversation, or take a model with a larger window`,
    isRetryable: false,
  };
}
