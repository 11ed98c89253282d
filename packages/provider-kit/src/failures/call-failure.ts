import { KernelError, tooDeepText } from "@incipit/kernel";
import { ServiceError, type ModelEvent, type ModelFailure } from "@incipit/service-contract";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { errorNames, failureOf } from "./failure-code.ts";
import { parsedJson } from "../requests/json-object.ts";
import { retryAfter, type RefusalOfVendor } from "./retry-after.ts";
import { isEventStream, type WireOutcome } from "../requests/wire-call.ts";

export interface CallState {
  readonly provider: string;
  readonly outcome: WireOutcome;
  readonly hasContent: boolean;
  /** Must run before truncation, because a truncated key is not recognized. */
  readonly hideKey: (text: string) => string;
}

export const stopped: ModelFailure = { code: "FAILED", message: "The call was stopped", isRetryable: false };

/** In UTF-16 units: packages include whole replies in error messages. */
const maxMessageLength = 2_000;
/** In UTF-16 units: parse errors include the whole reply with each attempt. */
const maxReasonLength = 400;

function bounded(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/** `hasShown`: output was already shown, so a retry would duplicate it. */
export function failureEvent(
  failure: ModelFailure,
  { hideKey, hasShown }: Pick<CallState, "hideKey"> & { readonly hasShown: boolean },
): ModelEvent {
  return {
    type: "failure",
    error: {
      ...failure,
      message: bounded(hideKey(failure.message), maxMessageLength),
      isRetryable: failure.isRetryable && !hasShown,
    },
  };
}

/** Returns the failure of a stream that ended early; without any event it may not be a stream. */
export function cutOff(state: CallState): ModelFailure {
  const { provider, outcome, hasContent } = state;
  if (outcome.kind === "too-large") return tooLarge(provider);
  if (outcome.kind === "answered" && outcome.isUnreadable === true && !hasContent)
    return badResponse(state, "it is not compressed as its content-encoding says; check the proxy or gateway");
  const contentType = outcome.kind === "answered" ? outcome.contentType : undefined;
  if (!hasContent && contentType !== undefined && !isEventStream(outcome))
    return badResponse(state, `it is "${contentType}", not "text/event-stream"; check base_url`);
  return { code: "CUT_OFF", message: `"${provider}" stopped in the middle of its reply`, isRetryable: true };
}

/** The vendor aborted the reply, such as Gemini for its own malformed call, or DeepSeek when overloaded. */
export function brokenOff({ provider }: CallState, reason: string | undefined): ModelFailure {
  const why = reason === undefined ? "" : ` ("${reason}")`;
  return { code: "CUT_OFF", message: `"${provider}" broke its reply off${why}`, isRetryable: true };
}

export function tooLarge(provider: string): ModelFailure {
  return {
    code: "REPLY_TOO_LARGE",
    message: `"${provider}" exceeded the maximum reply size: the reply was cut off; ask for less`,
    isRetryable: false,
  };
}

export function badResponse({ provider, hideKey }: CallState, said: string): ModelFailure {
  return {
    code: "BAD_RESPONSE",
    message: `"${provider}" sent an invalid reply: ${bounded(hideKey(said), maxReasonLength)}`,
    isRetryable: false,
  };
}

/** Does not come from the vendor. */
export function thrownFailure(error: Error, state: CallState): ModelFailure {
  const { provider, outcome } = state;
  if (outcome.kind === "no-answer") return noAnswer(outcome, provider);
  if (outcome.kind === "too-large") return tooLarge(provider);
  if (outcome.kind === "answered") return outcome.isBroken ? cutOff(state) : badResponse(state, wordsOf(error));
  return {
    code: "FAILED",
    message: `Cannot write the request to "${provider}": ${error.message}`,
    isRetryable: false,
  };
}

/** Returns the message of an error; recursive readers throw a RangeError for deep nesting. */
function wordsOf(error: Error): string {
  return error instanceof RangeError ? `it is ${tooDeepText}` : error.message;
}

/** Keeps codes of the host's own errors. */
export function noAnswer(
  { stage, error }: Extract<WireOutcome, { kind: "no-answer" }>,
  provider: string,
): ModelFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (KernelError.is(error) || ServiceError.is(error)) return { code: error.code, message, isRetryable: false };
  if (stage === "record") {
    return {
      code: "FAILED",
      message: `Cannot record the request to "${provider}": ${message}`,
      isRetryable: false,
    };
  }
  return {
    code: "UNREACHABLE",
    message: `Cannot reach "${provider}": ${message}; check base_url and the network`,
    isRetryable: true,
  };
}

/** An error event in a vendor's stream. */
const streamedErrorSchema = lazySchema(() =>
  z.object({
    message: z.string(),
    code: z.union([z.string(), z.number()]).nullish(),
    /** Derived from a known code. */
    statusCode: z.number().nullish(),
    data: z.unknown().optional(),
  }),
);

export function streamedFailure(error: unknown, { provider }: CallState): ModelFailure {
  const { data: streamed } = streamedErrorSchema.safeParse(error);
  const message = streamed?.message ?? (typeof error === "string" ? error : JSON.stringify(error));
  const code = Number(streamed?.statusCode ?? streamed?.code ?? Number.NaN);
  const status = code >= 400 && code < 600 ? code : undefined;
  const names = [...errorNames(error), ...errorNames(streamed?.data)];
  const failure = failureOf({ status, message, names }, `"${provider}" ended its reply with an error: ${message}`);
  return withWait(failure, { headers: {}, body: { error: streamed?.data }, message });
}

export interface Refusal {
  /** 300 or higher. */
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isRead: boolean;
}

export function refusedFailure(
  { status, message: said, headers, body, isRead }: Refusal,
  state: CallState,
): ModelFailure {
  if (status < 400)
    return badResponse(state, `it answered ${status}, and redirects are not followed; check base_url`);
  const unread = isRead ? undefined : unreadBody(state.hideKey(body));
  const message = unread === undefined ? said : `${said}: ${unread}`;
  const parsed = parsedJson(body);
  const failure = failureOf(
    { status, message, names: errorNames(parsed) },
    `"${state.provider}" answered ${status}: ${message}`,
  );
  return withWait(failure, { headers, body: parsed, message: unread ?? said });
}

/** Also for a used-up plan, so that users know until when. */
function withWait(failure: ModelFailure, refusal: RefusalOfVendor): ModelFailure {
  const isAskedLater = failure.isRetryable || failure.code === "RATE_LIMITED";
  const retryAfterMs = isAskedLater ? retryAfter(refusal) : undefined;
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}

/** In UTF-16 units. */
const maxLength = 400;

const textSchema = z.string().regex(/\S/);
/** xAI, Mistral, FastAPI and Gemini's list; the first match applies. */
const saidSchema = lazySchema(() =>
  z.union([
    z.object({ error: textSchema }).transform(({ error }) => error),
    z.object({ message: textSchema }).transform(({ message }) => message),
    z.object({ detail: textSchema }).transform(({ detail }) => detail),
    z.object({ error: z.object({ message: textSchema }) }).transform(({ error }) => error.message),
    z.tuple([z.object({ error: z.object({ message: textSchema }) })]).transform(([{ error }]) => error.message),
  ]),
);

/** Returns the truncated body for an unknown format; `undefined` for an empty body or HTML. */
export function unreadBody(body: string): string | undefined {
  const text = body.trim();
  if (text === "" || text.startsWith("<")) return undefined;
  const said = saidSchema.safeParse(parsedJson(text)).data?.trim() ?? text;
  return said.length <= maxLength ? said : `${said.slice(0, maxLength).toWellFormed()}…`;
}
