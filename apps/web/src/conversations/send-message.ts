import { sendMessage as sendOnce, type SendOptions } from "@incipit/client/session";
import type { CommandCall, CreateTurnRequest } from "@incipit/schema";
import { withNamedResources } from "@incipit/transport-contract";
import { api } from "../session/api.ts";

export type SentMessage = Pick<CreateTurnRequest, "input"> | { readonly command: CommandCall };

export async function sendMessage(id: string, message: SentMessage, options?: SendOptions): Promise<void> {
  const body = "command" in message ? message : { input: await withResources(message.input, id) };
  await sendOnce(api, { id, body, ...options });
}

function withResources(
  input: CreateTurnRequest["input"],
  conversationId: string,
): Promise<CreateTurnRequest["input"]> {
  const typed =
    typeof input === "string" ? input : input.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return withNamedResources(input, { client: api, typed, conversationId });
}
