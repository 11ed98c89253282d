import type { TurnBody, TurnId } from "@incipit/schema";
import type { EndpointClient } from "@incipit/transport-contract";
import { newKey } from "../new-key.ts";
import { isUnreachable } from "./is-unreachable.ts";

const sendTries = 3;

export interface SendOptions {
  /** Calls with the same key send one message. Defaults to a new key. */
  readonly idempotencyKey?: string;
}

/**
 * Sends a message once, even if the host becomes unreachable. Resolves with the turn's id once the host has the
 * message.
 */
export async function sendMessage(
  client: Pick<EndpointClient, "sendTurn">,
  { id, body, idempotencyKey = newKey() }: SendOptions & { readonly id: string; readonly body: TurnBody },
): Promise<TurnId | undefined> {
  for (let count = 1; ; count += 1) {
    const taken = new AbortController();
    try {
      // Its events arrive in the conversation's stream; this stream would occupy a connection.
      for await (const { turnId } of client.sendTurn(id, body, { idempotencyKey, signal: taken.signal }))
        return turnId;
      return undefined;
    } catch (error) {
      if (!isUnreachable(error) || count >= sendTries) throw error;
    } finally {
      taken.abort();
    }
  }
}
