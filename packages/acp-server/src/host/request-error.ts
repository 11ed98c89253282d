import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { ApiClientError, statusByErrorCode, withoutRoute } from "@incipit/transport-contract";

/**
 * The message has the remedy, the data the host's code. Errors that the caller can fix are request errors, all others
 * internal errors.
 */
export function requestError(error: unknown, { sessionId }: { readonly sessionId?: string } = {}): RequestError {
  if (error instanceof RequestError) return error;
  if (!(error instanceof ApiClientError))
    return RequestError.internalError(undefined, error instanceof Error ? error.message : String(error));
  const { code, next } = error;
  if (code === "CONVERSATION_UNKNOWN" && sessionId !== undefined) return RequestError.sessionNotFound(sessionId);
  // The user of an editor has no token to call a route.
  const message = next === undefined ? error.message : withoutRoute(error.message, next);
  const status = code === "UNREADABLE" || code === "UNREACHABLE" ? 0 : statusByErrorCode[code];
  const data = { code };
  return status >= 400 && status < 500
    ? RequestError.invalidParams(data, message)
    : RequestError.internalError(data, message);
}
