import { AISDKError, APICallError, InvalidResponseDataError } from "@ai-sdk/provider";
import { KernelError, tooDeepText } from "@incipit/kernel";
import { ServiceError, type ModelFailure } from "@incipit/service-contract";
import * as z from "zod";
import { errorNames, failureOf } from "./failure-code.ts";
import { parsedJson } from "./json-object.ts";
import { retryAfter } from "./retry-after.ts";
import { unreadBody } from "./unread-body.ts";
import type { WireOutcome } from "./wire-call.ts";

/** An error that a vendor sends as an event of a stream that it had begun. */
const streamedErrorSchema = z.object({
  message: z.string(),
  code: z.union([z.string(), z.number()]).nullish(),
  /** What the package makes of the code, where it knows it. */
  statusCode: z.number().nullish(),
  /** The event itself. */
  data: z.unknown().optional(),
});

export const stopped: ModelFailure = { code: "FAILED", message: "The call was stopped", isRetryable: false };

/** How far a call had come when it failed. */
export interface CallState {
  readonly provider: string;
  readonly outcome: WireOutcome;
  /** The answer held at least one event. */
  readonly hasContent: boolean;
  /** A text without the key: asked before anything is cut off, for half a key is found by nobody. */
  readonly hideKey: (text: string) => string;
}

/** The stream was over before its end; one without any event is perhaps no stream at all. */
export function cutOff(state: CallState): ModelFailure {
  const { provider, outcome, hasContent } = state;
  const contentType = outcome.kind === "answered" ? outcome.contentType : undefined;
  if (!hasContent && contentType !== undefined && !contentType.startsWith("text/event-stream"))
    return badResponse(state, `it is "${contentType}", not "text/event-stream"; check base_url`);
  return { code: "CUT_OFF", message: `"${provider}" stopped in the middle of its reply`, isRetryable: true };
}

/** The vendor says that it could not go on, such as Gemini of a call that it cannot read itself, and DeepSeek where it has no room. */
export function brokenOff({ provider }: CallState, reason: string | undefined): ModelFailure {
  const why = reason === undefined ? "" : ` ("${reason}")`;
  return { code: "CUT_OFF", message: `"${provider}" broke its reply off${why}`, isRetryable: true };
}

/** What a package threw, or gave as the error of its stream. */
export function toFailure(error: unknown, state: CallState): ModelFailure {
  const { provider, outcome } = state;
  if (outcome.kind === "no-answer") return toRefusal(outcome, provider);
  if (outcome.kind === "too-large") return tooLarge(provider);
  if (APICallError.isInstance(error)) return toAnswered(error, state);
  // "openai-compatible" tells with it that the stream ended without a finish reason; others name the data that is wrong.
  if (InvalidResponseDataError.isInstance(error) && error.data === undefined) return cutOff(state);
  if (AISDKError.isInstance(error)) return badResponse(state, error.message);
  if (!(error instanceof Error)) return toStreamed(error, provider);
  if (outcome.kind === "answered") return outcome.isBroken ? cutOff(state) : badResponse(state, wordsOf(error));
  return {
    code: "FAILED",
    message: `Cannot write the request to "${provider}": ${error.message}`,
    isRetryable: false,
  };
}

/** Packages walk what they have parsed, as deep as it is. */
function wordsOf(error: Error): string {
  return error instanceof RangeError ? `it is ${tooDeepText}` : error.message;
}

/** What the host itself refused keeps its own code. */
function toRefusal({ stage, error }: Extract<WireOutcome, { kind: "no-answer" }>, provider: string): ModelFailure {
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

function toStreamed(error: unknown, provider: string): ModelFailure {
  const { data: streamed } = streamedErrorSchema.safeParse(error);
  const message = streamed?.message ?? (typeof error === "string" ? error : JSON.stringify(error));
  const code = Number(streamed?.statusCode ?? streamed?.code ?? Number.NaN);
  const status = code >= 400 && code < 600 ? code : undefined;
  const names = [...errorNames(error), ...errorNames(streamed?.data)];
  return failureOf({ status, message, names }, `"${provider}" ended its reply with an error: ${message}`);
}

function toAnswered(error: APICallError, state: CallState): ModelFailure {
  const { statusCode: status, cause, data, responseBody = "", responseHeaders: headers = {} } = error;
  // Of a body that a package cannot read it gives the words of the status alone.
  const unread = data === undefined ? unreadBody(state.hideKey(responseBody)) : undefined;
  const message = unread === undefined ? error.message : `${error.message}: ${unread}`;
  if (status !== undefined && status >= 300 && status < 400)
    return badResponse(state, `it answered ${status}, and redirects are not followed; check base_url`);
  if (status !== undefined && status >= 400) {
    const body = parsedJson(responseBody);
    const said = `"${state.provider}" answered ${status}: ${message}`;
    const failure = failureOf({ status, message, names: errorNames(body) }, said);
    const retryAfterMs = failure.isRetryable ? retryAfter({ headers, body }) : undefined;
    return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
  }
  const reason = status === undefined ? message : `it answered ${status}: ${message}`;
  // While it reads a good answer, a package wraps whatever happens: its own errors are of the content, others of the connection.
  return cause === undefined || AISDKError.isInstance(cause) ? badResponse(state, reason) : cutOff(state);
}

export function tooLarge(provider: string): ModelFailure {
  return {
    code: "REPLY_TOO_LARGE",
    message: `"${provider}" sent more than one reply may hold: it was cut off; ask for less at once`,
    isRetryable: false,
  };
}

/** In UTF-16 units: the packages show all of what they could not read, and each way in which they tried. */
const maxReasonLength = 400;

function badResponse({ provider, hideKey }: CallState, said: string): ModelFailure {
  const reason = hideKey(said);
  return {
    code: "BAD_RESPONSE",
    message: `"${provider}" sent what is no valid reply: ${reason.length > maxReasonLength ? `${reason.slice(0, maxReasonLength).toWellFormed()}…` : reason}`,
    isRetryable: false,
  };
}
