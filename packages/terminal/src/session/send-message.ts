import type { TurnBody } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";
import { isGone } from "./events-of.ts";

const sendTries = 3;

/** Sends a message once, also where the host goes away meanwhile; resolves once the host has it, with its turn. */
export async function sendMessage(client: Client, id: string, body: TurnBody): Promise<string | undefined> {
  const idempotencyKey = crypto.randomUUID();
  for (let count = 1; ; count += 1) {
    const taken = new AbortController();
    try {
      // Its events come with those of everybody else; this stream would keep its connection.
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
