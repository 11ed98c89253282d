import type { TurnBody } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";
import { isGone } from "./events-of.ts";

const sendTries = 3;

/** Sends exactly once, even if the host becomes unreachable; resolves once the host has the message. */
export async function sendMessage(client: Client, id: string, body: TurnBody): Promise<string | undefined> {
  const idempotencyKey = crypto.randomUUID();
  for (let count = 1; ; count += 1) {
    const taken = new AbortController();
    try {
      // Its events arrive in the conversation's stream; this stream would occupy a connection.
      for await (const { turnId } of client.sendTurn(id, body, { idempotencyKey, signal: taken.signal }))
        return turnId;
      return undefined;
    } catch (error) {
      if (!isGone(error) || count >= sendTries) throw error;
    } finally {
      taken.abort();
    }
  }
}
