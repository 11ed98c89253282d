import { clippedLine } from "@incipit/host/text";
import type { CommandContext } from "../commands/command.ts";
import type { TerminalOptions } from "../options/terminal-options.ts";

export interface OwnCommandOptions {
  /** Gives the terminal to a command until it ends. */
  readonly runCommand: TerminalOptions["runCommand"];
  /** Puts an output into the editor, as an attachment of the next message. */
  readonly attachOutput: (name: string, text: string) => void;
}

export interface OwnCommand {
  readonly command: string;
  /** Its output is offered to the model with the next message. */
  readonly isOffered: boolean;
}

/**
 * Returns the command for the user's shell: of `!COMMAND` the output is offered to the model, of `!!COMMAND` it is not.
 * @param line As the editor has it.
 */
export function ownCommandIn(line: string): OwnCommand | undefined {
  // Of one line, and begun by a person: what was pasted is a message, whatever it begins with.
  const [, marks, command] = /^(!!?)\s*([^\s!].*|!\S.*)$/.exec(line) ?? [];
  return command === undefined ? undefined : { command, isOffered: marks === "!" };
}

/** Runs a command that a person has typed, in the folder that tools work in. Nothing of it is sent before a message is. */
export async function ranOwnCommand(
  { command, isOffered }: OwnCommand,
  { session, tell }: Pick<CommandContext, "session" | "tell">,
  { runCommand, attachOutput }: OwnCommandOptions,
): Promise<void> {
  const shown = clippedLine(command, { maxCharacters: 300 });
  tell(`$ ${shown}`);
  const { exitCode, output = "" } = await runCommand(command, session.cwd);
  const how = exitCode === 0 ? "" : `It ended with the code ${exitCode}. `;
  const level = exitCode === 0 ? "muted" : "warning";
  if (!isOffered || output.trim() === "") return tell(`${how}The model is told nothing of it`, level);
  attachOutput(shown, messageOf({ command, exitCode, output }, session.cwd));
  tell(
    `${how}Its output goes with your next message; Backspace takes it off, and !! would keep it to yourself`,
    level,
  );
}

/** No line of the output ends the fence around it. */
function messageOf(
  { command, exitCode, output }: { readonly command: string; readonly exitCode: number; readonly output: string },
  cwd: string,
): string {
  const longest = Math.max(2, ...[...output.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `I ran this in ${cwd}, and it ended with the code ${exitCode}:\n${fence}\n$ ${command}\n${output}\n${fence}\n`;
}
