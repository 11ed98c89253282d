import { KernelError, tooDeepText } from "@incipit/kernel";
import { ServiceError, type ModelEvent, type ModelFailure } from "@incipit/service-contract";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import { errorNames, failureOf } from "./failure-code.ts";
import { parsedJson } from "./json-object.ts";
import { retryAfter, type RefusalOfVendor } from "./retry-after.ts";
import { unreadBody } from "./unread-body.ts";
import { isEventStream, type WireOutcome } from "./wire-call.ts";

/** How far a call had come when it failed. */
export interface CallState {
  readonly provider: string;
  readonly outcome: WireOutcome;
  /** The answer held at least one event. */
  readonly hasContent: boolean;
  /** A text without the key: asked before anything is cut off, for half a key is found by nobody. */
  readonly hideKey: (text: string) => string;
}

export const stopped: ModelFailure = { code: "FAILED", message: "The call was stopped", isRetryable: false };

/** In UTF-16 units: packages repeat whole replies in their messages. */
const maxMessageLength = 2_000;
/** In UTF-16 units: who could not read a reply shows all of it, and each way in which it was tried. */
const maxReasonLength = 400;

function bounded(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/** The event that a failed call ends with. `hasShown`: a reader has seen some of the reply, and would see it twice. */
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

/** The stream was over before its end; one without any event is perhaps no stream at all. */
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

/** The vendor says that it could not go on, such as Gemini of a call that it cannot read itself, and DeepSeek where it has no room. */
export function brokenOff({ provider }: CallState, reason: string | undefined): ModelFailure {
  const why = reason === undefined ? "" : ` ("${reason}")`;
  return { code: "CUT_OFF", message: `"${provider}" broke its reply off${why}`, isRetryable: true };
}

export function tooLarge(provider: string): ModelFailure {
  return {
    code: "REPLY_TOO_LARGE",
    message: `"${provider}" sent more than one reply may hold: it was cut off; ask for less at once`,
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

/** What was thrown before the answer, or while it was read, and says nothing of the vendor's own. */
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

/** Readers walk what they have parsed, as deep as it is. */
function wordsOf(error: Error): string {
  return error instanceof RangeError ? `it is ${tooDeepText}` : error.message;
}

/** What the host itself refused keeps its own code. */
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

/** An error that a vendor sends as an event of a stream that it had begun. */
const streamedErrorSchema = lazySchema(() =>
  z.object({
    message: z.string(),
    code: z.union([z.string(), z.number()]).nullish(),
    /** What is made of the code, where it is known. */
    statusCode: z.number().nullish(),
    /** The event itself. */
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

/** An answer that is a refusal, or leads elsewhere. */
export interface Refusal {
  /** From 300 on. */
  readonly status: number;
  /** What the vendor said in its own shape, else the words of the status. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `message` is all that the body says. */
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

/** A plan that is used up has a time as well: whoever reads the failure is told until when. */
function withWait(failure: ModelFailure, refusal: RefusalOfVendor): ModelFailure {
  const isAskedLater = failure.isRetryable || failure.code === "RATE_LIMITED";
  const retryAfterMs = isAskedLater ? retryAfter(refusal) : undefined;
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}
