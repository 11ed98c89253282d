import type { RpcFailure } from "./rpc-message.ts";

/** For an answer whose shape cannot be repaired. */
export const wrongAnswerCode = -32_098;

type Id = string | number;

/** @param reason Follows the server's name: `answered "tools/call" with …`. */
export function wrongAnswer(id: Id, reason: string): RpcFailure {
  return { jsonrpc: "2.0", id, error: { code: wrongAnswerCode, message: reason } };
}
