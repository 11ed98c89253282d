import { parseCommandCall, type CreateTurnRequest } from "@incipit/schema";
import { withNamedResources, type Client } from "@incipit/transport-contract";

type Input = CreateTurnRequest["input"];

/**
 * Prepends the resources that the typed words mention. Piped and attached content is not searched, since it is
 * untrusted; nor are arguments of a command.
 */
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
