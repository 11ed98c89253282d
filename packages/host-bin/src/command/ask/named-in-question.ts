import { parseCommandCall, type CreateTurnRequest } from "@incipit/schema";
import { withNamedResources, type Client } from "@incipit/transport-contract";

type Input = CreateTurnRequest["input"];

/**
 * The message with the resources that its words name in front. What was piped in or attached comes from others: nothing in it
 * is looked at. A command's arguments are the command's.
 */
export async function namedInQuestion(
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
