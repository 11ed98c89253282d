import type { CommandCall, CreateTurnRequest } from "@incipit/schema";
import { withNamedResources } from "@incipit/transport-contract";
import { api, isAway } from "../session/api.ts";

export type SentMessage = Pick<CreateTurnRequest, "input"> | { readonly command: CommandCall };

const tries = 3;

/** Calls with the same key send one message. */
export async function sendMessage(
  id: string,
  message: SentMessage,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<void> {
  const whole = "command" in message ? message : { input: await withResources(message.input, id) };
  for (let count = 1; ; count += 1) {
    try {
      for await (const _ of api.sendTurn(id, whole, { idempotencyKey })) return;
      return;
    } catch (error) {
      if (!isAway(error) || count >= tries) throw error;
    }
  }
}

function withResources(
  input: CreateTurnRequest["input"],
  conversationId: string,
): Promise<CreateTurnRequest["input"]> {
  const typed =
    typeof input === "string" ? input : input.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return withNamedResources(input, { client: api, typed, conversationId });
}
