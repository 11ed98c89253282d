import type { Client } from "@incipit/transport-contract";
import { selectedConversation } from "./named-conversation.ts";
import type { OptionName } from "../registry/options.ts";
import type { Output } from "../output/output.ts";
import type { Call } from "../registry/command.ts";

export type ConversationCall<
  Words extends readonly (string | undefined)[] = [],
  Name extends OptionName = never,
> = Call<[id: string, ...Words], "isContinued" | "cwdOfLast" | Name>;

export interface CalledConversation {
  readonly client: Client;
  readonly id: string;
  readonly args: { readonly isJson: boolean };
  readonly output: Output;
}

/** Resolves the conversation that the first word names. */
export async function calledConversation({
  words: [named],
  args,
  output,
  host,
}: ConversationCall<(string | undefined)[]>): Promise<CalledConversation> {
  const client = await host.client();
  return { client, id: await selectedConversation(client, named, args), args, output };
}
