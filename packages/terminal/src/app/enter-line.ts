import { parseCommandCall } from "@incipit/schema";
import { clippedLine } from "@incipit/schema/text";
import type { CommandContext } from "../commands/command.ts";
import { runCommand } from "../commands/run-command.ts";
import { unknownCommand } from "../commands/unknown-command.ts";
import { composed, type ComposeOptions } from "../input/compose.ts";
import { undisguised } from "../input/editor-encoding.ts";
import type { TerminalOptions } from "../options/terminal-options.ts";

export type EnterOptions = Pick<ComposeOptions, "attachments" | "readFiles"> & OwnCommandOptions;

/** Leading white space makes any line a message. */
export async function enterLine(
  line: string,
  context: CommandContext,
  options: EnterOptions,
): Promise<string | undefined> {
  const { session, commands } = context;
  const own = ownCommandIn(line);
  if (own !== undefined) {
    await runShellCommand({ ...own, command: undisguised(own.command) }, context, options);
    return undefined;
  }
  const written = undisguised(line);
  const [, name, argument = ""] = /^\/(\S+)\s*(.*)$/s.exec(written) ?? [];
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) {
    await runCommand(command, context, argument.trim());
    return undefined;
  }
  const call = parseCommandCall(written);
  const unknown = call === undefined ? undefined : await unknownCommand(call.name, context);
  if (unknown !== undefined) {
    context.tell(unknown, "warning");
    context.write(line);
    return undefined;
  }
  const { client, cwd, model, facts } = session;
  const { id: conversationId } = await session.begun();
  return session.send(await composed(line, { ...options, client, conversationId, cwd, model, facts }));
}

interface OwnCommandOptions {
  readonly runCommand: TerminalOptions["runCommand"];
  readonly attachOutput: (name: string, text: string) => void;
}

interface ShellCommand {
  readonly command: string;
  readonly isOffered: boolean;
}

/** Parses `!COMMAND`, which offers its output to the model, or `!!COMMAND`, which does not. */
function ownCommandIn(line: string): ShellCommand | undefined {
  // Single lines only: a paste is always a message.
  const [, marks, command] = /^(!!?)\s*([^\s!].*|!\S.*)$/.exec(line) ?? [];
  return command === undefined ? undefined : { command, isOffered: marks === "!" };
}

async function runShellCommand(
  { command, isOffered }: ShellCommand,
  { session, tell }: Pick<CommandContext, "session" | "tell">,
  { runCommand, attachOutput }: OwnCommandOptions,
): Promise<void> {
  const shown = clippedLine(command, { maxCharacters: 300 });
  tell(`$ ${shown}`);
  const { exitCode, output = "" } = await runCommand(command, session.cwd);
  const how = exitCode === 0 ? "" : `It ended with the code ${exitCode}. `;
  const level = exitCode === 0 ? "muted" : "warning";
  if (!isOffered || output.trim() === "") return tell(`${how}The model does not see it`, level);
  attachOutput(shown, messageOf({ command, exitCode, output }, session.cwd));
  tell(`${how}Its output is attached to your next message; Backspace removes it, !! runs without attaching`, level);
}

/** Puts the output into a fence longer than any run of backticks in it. */
function messageOf(
  { command, exitCode, output }: { readonly command: string; readonly exitCode: number; readonly output: string },
  cwd: string,
): string {
  const longest = Math.max(2, ...[...output.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `I ran this in ${cwd}, and it ended with the code ${exitCode}:\n${fence}\n$ ${command}\n${output}\n${fence}\n`;
}
