import { userName } from "@incipit/common/system";
import { routes, type Client } from "@incipit/transport-contract";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import type { OptionsOf } from "../registry/options.ts";
import { hashed } from "../output/hashed.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";
import { withTrustedText } from "../trust/with-trusted-text.ts";
import { calledConversation, type ConversationCall } from "../arguments/conversation-call.ts";

/** Takes effect with the next message. Requests trust for untrusted text, as before a message. */
export async function rebuild(call: ConversationCall<[], "note">): Promise<number> {
  const { client, id, output } = await calledConversation(call);
  const { dataFolder } = await call.host.connect();
  const { args } = call;
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
  { isJson, note }: OptionsOf<"isJson" | "note">,
  { id, output }: { readonly id: string; readonly output: Output },
): Promise<number> {
  const { outLine } = output;
  const answer = await client.call(routes.rebuildPrompt, { params: { id }, body: { by: userName(), note } });
  const { sha256 } = answer.systemPrompt;
  const say = (before: string, behind: string): void =>
    outLine(
      sha256 === null
        ? `${before}no prompt${behind}`
        : hashed(sha256, (hash) => `${before}SHA-256 ${hash}${behind}`, output),
    );
  if (isJson) outLine(JSON.stringify(answer));
  else if (answer.outcome === "rebuilt") say("Rebuilt: the next message is sent with ", "");
  else say("Nothing has changed: a prompt that is built now is the one that is kept (", ")");
  return 0;
}
