import { parseCommandCall, type CreateTurnRequest } from "@incipit/schema";
import { withNamedResources, type Client } from "@incipit/transport-contract";

type Input = CreateTurnRequest["input"];

/** Searches only typed words: piped and attached content is untrusted. */
export async function mentionedResources(
  input: Input,
  {
    client,
    conversationId,
    typed,
  }: { readonly client: Client; readonly conversationId: string; readonly typed: string },
): Promise<Input> {
  if (typeof input === "string" && parseCommandCall(input) !== undefined) return input;
  return withNamedResources(input, { client, conversationId, typed });
}
