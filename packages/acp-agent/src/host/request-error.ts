import { RequestError } from "@agentclientprotocol/sdk/unstable";
import { ApiClientError, statusByErrorCode, withoutRoute } from "@incipit/transport-contract";

/**
 * What went wrong, as an error of the protocol: its message says what to do, its data has the host's own code. What the
 * caller can put right is an error of the request; the rest is internal.
 */
export function requestError(error: unknown, { sessionId }: { readonly sessionId?: string } = {}): RequestError {
  if (error instanceof RequestError) return error;
  if (!(error instanceof ApiClientError))
    return RequestError.internalError(undefined, error instanceof Error ? error.message : String(error));
  const { code, next } = error;
  if (code === "CONVERSATION_UNKNOWN" && sessionId !== undefined) return RequestError.sessionNotFound(sessionId);
  // A person at an editor has no token at hand for a route.
  const message = next === undefined ? error.message : withoutRoute(error.message, next);
  const status = code === "UNREADABLE" || code === "UNREACHABLE" ? 0 : statusByErrorCode[code];
  const data = { code };
  return status >= 400 && status < 500
    ? RequestError.invalidParams(data, message)
    : RequestError.internalError(data, message);
}
