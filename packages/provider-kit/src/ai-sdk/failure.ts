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
} from "../failures/call-failure.ts";
import type { ModelFailure } from "@incipit/service-contract";

export function toFailure(error: unknown, state: CallState): ModelFailure {
  const { provider, outcome } = state;
  if (outcome.kind === "no-answer") return noAnswer(outcome, provider);
  if (outcome.kind === "too-large") return tooLarge(provider);
  if (APICallError.isInstance(error)) return toAnswered(error, state);
  // Some packages report a stream without a finish reason this way; others include the invalid data.
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
  // While reading a successful answer, packages wrap all errors: their own concern the content, others the
  // connection.
  return cause === undefined || AISDKError.isInstance(cause) ? badResponse(state, reason) : cutOff(state);
}
