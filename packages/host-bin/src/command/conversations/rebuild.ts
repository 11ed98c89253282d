import { userName } from "@incipit/host/user-name";
import { routes, type Client } from "@incipit/transport-contract";
import type { Arguments } from "../arguments/arguments.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import type { Connection } from "../host/connection.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { withTrustedText } from "../trust/with-trusted-text.ts";

/**
 * Has the prompt of a conversation constructed anew; its next message is sent with it. Text that nobody trusts is asked about
 * as before a message.
 */
export async function rebuild(
  connection: Pick<Connection, "client" | "dataFolder">,
  args: Arguments,
  { id, output }: { readonly id: string; readonly output: Output },
): Promise<number> {
  const { client, dataFolder } = connection;
  const askPerson = isAtTerminal() ? askAtTerminal : undefined;
  return withTrustedText(() => rebuildOnce(client, args, { id, output }), {
    client,
    dataFolder,
    conversationId: id,
    output,
    askPerson,
    undone: "Nothing was rebuilt",
    signal: new AbortController().signal,
  });
}

async function rebuildOnce(
  client: Client,
  { isJson, note }: Arguments,
  { id, output: { outLine } }: { readonly id: string; readonly output: Output },
): Promise<number> {
  const by = userName();
  const body = { ...(by === undefined ? {} : { by }), ...(note === undefined ? {} : { note }) };
  const answer = await client.call(routes.rebuildPrompt, { params: { id }, body });
  const { sha256 } = answer.systemPrompt;
  if (isJson) outLine(JSON.stringify(answer));
  else if (answer.outcome === "rebuilt") outLine(`Rebuilt: the next message is sent with ${sha256 ?? "no prompt"}`);
  else outLine(`Nothing has changed: construction gives what is kept (${sha256 ?? "no prompt"})`);
  return 0;
}
