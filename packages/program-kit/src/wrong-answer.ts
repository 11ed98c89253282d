import type { RpcFailure } from "./rpc-message.ts";

/** Code of the error that stands in for an answer whose shape nothing can be made of. */
export const wrongAnswerCode = -32_098;

type Id = string | number;

/** Fails the request with the id. @param reason Read behind the server's name: `answered "tools/call" with …`. */
export function wrongAnswer(id: Id, reason: string): RpcFailure {
  return { jsonrpc: "2.0", id, error: { code: wrongAnswerCode, message: reason } };
}

const maxShown = 200;

/** Returns the beginning of what a server sent, on one line. */
export function shownBeginning(text: string): string {
  const line = text
    .slice(0, 4 * maxShown)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
