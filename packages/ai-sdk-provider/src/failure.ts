import { AISDKError, APICallError, InvalidResponseDataError } from "@ai-sdk/provider";
import {
  badResponse,
  cutOff,
  noAnswer,
  refusedFailure,
  streamedFailure,
  thrownFailure,
  tooLarge,
  type CallState,
} from "@incipit/model-endpoint";
import type { ModelFailure } from "@incipit/service-contract";

/** What a package threw, or gave as the error of its stream. */
export function toFailure(error: unknown, state: CallState): ModelFailure {
  const { provider, outcome } = state;
  if (outcome.kind === "no-answer") return noAnswer(outcome, provider);
  if (outcome.kind === "too-large") return tooLarge(provider);
  if (APICallError.isInstance(error)) return toAnswered(error, state);
  // Some packages tell with it that the stream ended without a finish reason; others name the data that is wrong.
  if (InvalidResponseDataError.isInstance(error) && error.data === undefined) return cutOff(state);
  if (AISDKError.isInstance(error)) return badResponse(state, error.message);
  return error instanceof Error ? thrownFailure(error, state) : streamedFailure(error, state);
}

function toAnswered(error: APICallError, state: CallState): ModelFailure {
  const {
    statusCode: status,
    cause,
    data,
    responseBody: body = "",
    responseHeaders: headers = {},
    message,
  } = error;
  if (status !== undefined && status >= 300)
    return refusedFailure({ status, message, headers, body, isRead: data !== undefined }, state);
  const reason = status === undefined ? message : `it answered ${status}: ${message}`;
  // While it reads a good answer, a package wraps whatever happens: its own errors are of the content, others of the connection.
  return cause === undefined || AISDKError.isInstance(cause) ? badResponse(state, reason) : cutOff(state);
}
