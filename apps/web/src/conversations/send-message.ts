import type { CommandCall, CreateTurnRequest } from "@incipit/schema";
import { api, isAway } from "../session/api.ts";

/** What a person sends: a message, or a command by its name. */
export type SentMessage = Pick<CreateTurnRequest, "input"> | { readonly command: CommandCall };

const tries = 3;

/** Resolves once the host has the message; sent again with the same key, by whomever, it is still one message. */
export async function sendMessage(
  id: string,
  message: SentMessage,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      for await (const _ of api.sendTurn(id, message, { idempotencyKey })) return;
      return;
    } catch (error) {
      if (!isAway(error) || count >= tries) throw error;
    }
  }
}
