import type { Arguments } from "../arguments/arguments.ts";
import { ask, openConversation } from "./ask.ts";
import { askAtTerminal } from "../questions/ask-at-terminal.ts";
import { withFiles } from "./attached-files.ts";
import type { Connection } from "../host/connection.ts";
import { interruptible } from "../terminal/interruption.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";

/** Asks one question; says how to go on. The result is the exit code. */
export async function askOnce(connection: Connection, args: Arguments, output: Output): Promise<number> {
  const { client, dataFolder } = connection;
  const input = await withFiles(args.words[0] ?? "", args.files);
  const conversationId = await openConversation(client, args, output);
  const exitCode = await interruptible((signal, stop) => {
    const askPerson = isAtTerminal() ? askAtTerminal : undefined;
    return ask(input, { client, dataFolder, conversationId, args, output, askPerson, stop, signal });
  });
  if (args.conversation === undefined) output.errLine(`Go on with: incipit -s ${conversationId} "…"`);
  return exitCode;
}
