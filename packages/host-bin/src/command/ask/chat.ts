import { brokenExtensions, brokenExtensionsLine } from "@incipit/cli-text";
import { ApiClientError, routes } from "@incipit/transport-contract";
import { createInterface } from "node:readline/promises";
import type { TalkArguments } from "./talk-arguments.ts";
import { ask, openConversation } from "./ask.ts";
import { ChatCommands } from "./chat-commands.ts";
import { mentionedResources } from "./mentioned-resources.ts";
import type { Connection } from "../registry/host-access.ts";
import { continueHint, printFirstRunNote } from "./first-run.ts";
import { errorText } from "../output/error-text.ts";
import { interruptible } from "../terminal/interruption.ts";
import { MessageLines } from "../terminal/message-lines.ts";
import type { Output } from "../output/output.ts";
import { isAtTerminal, messageOf, TerminalInput } from "../terminal/terminal-input.ts";

/** A message that cannot be sent does not end the chat. Ctrl-C stops an answer; at the prompt it ends the chat. */
export async function chat(connection: Connection, args: TalkArguments, output: Output): Promise<number> {
  if (args.isForScreenReader)
    output.errLine(
      "Screen reader mode: everything is a line that stays, and nothing is drawn. /help lists the commands.",
    );
  const { extensions } = await connection.client.call(routes.listExtensions);
  const broken = brokenExtensionsLine(brokenExtensions(extensions));
  if (broken !== undefined) output.errLine(broken);
  let conversationId = await openConversation(connection.client, args, output);
  if (connection.isUnconfigured) await printFirstRunNote(conversationId, connection, output);
  output.errLine(`Conversation ${conversationId}. An empty line or Ctrl-D ends it.`);
  using closing = new DisposableStack(); // An open line reader would keep the process alive after an error.
  const terminal = isAtTerminal() ? closing.use(new TerminalInput()) : undefined;
  const lines =
    terminal?.readLines({ prompt: "> ", onInterrupt: () => interrupt() }) ??
    createInterface({ input: process.stdin, terminal: false });
  closing.defer(() => lines.close());
  const askPerson = terminal === undefined ? undefined : terminal.ask.bind(terminal);
  const commands = askPerson === undefined ? undefined : new ChatCommands(connection, { args, askPerson, output });
  closing.defer(() => commands?.close());
  let exitCode = 0;
  let interrupt = (): void => {
    exitCode = 130;
    lines.close();
  };
  // Piped input may end, and its reader close, during an answer.
  const showPrompt = (): void => {
    if (lines instanceof MessageLines) lines.prompt();
  };
  showPrompt();
  let hasLeft = false;
  for await (const line of lines) {
    if (line.trim() === "") break;
    const end = interrupt;
    try {
      const { client, dataFolder } = connection;
      exitCode = await interruptible(async (signal, stop) => {
        interrupt = stop;
        const message = messageOf(line);
        if (commands !== undefined && (await commands.run(message, { conversationId, signal }))) {
          hasLeft = commands.hasLeft;
          const again = commands.takeMessage();
          if (again === undefined) return 0;
          conversationId = (await commands.conversation()) ?? conversationId;
          return ask(again, { client, dataFolder, conversationId, args, output, askPerson, stop, signal });
        }
        conversationId = (await commands?.conversation()) ?? conversationId;
        const common = { client, dataFolder, conversationId, args, output };
        const typed = terminal === undefined ? "" : message;
        const input = await mentionedResources(message, { client, conversationId, typed });
        return ask(input, { ...common, askPerson, stop, signal });
      });
    } catch (error) {
      if (!(error instanceof ApiClientError)) throw error;
      output.err(`${errorText(error)}\n`);
      exitCode = 1;
    }
    interrupt = end;
    if (hasLeft) break;
    showPrompt();
  }
  output.errLine(continueHint(conversationId, args, { errWidth: output.errWidth, hasQuestion: true }));
  return exitCode;
}
