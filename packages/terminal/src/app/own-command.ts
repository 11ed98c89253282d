import { clippedLine } from "@incipit/host/text";
import type { CommandContext } from "../commands/command.ts";

export interface OwnCommandOptions {
  /** Gives the terminal to a command until it ends; gives its exit code. */
  readonly runCommand: (command: string, folder: string) => Promise<number>;
}

/** What of a line is for the shell of whoever sits here; `undefined`: none of it is. @param line As the editor has it. */
export function ownCommandIn(line: string): string | undefined {
  // Of one line, and begun by a person: what was pasted is a message, whatever it begins with.
  return /^!\s*(\S.*)$/.exec(line)?.[1];
}

/** Runs a command that a person has typed, in the folder that tools work in. No model is told of it. */
export async function ranOwnCommand(
  command: string,
  { session, tell }: Pick<CommandContext, "session" | "tell">,
  { runCommand }: OwnCommandOptions,
): Promise<void> {
  const shown = clippedLine(command, { maxCharacters: 300 });
  tell(`$ ${shown}`);
  const exitCode = await runCommand(command, session.cwd);
  const how = exitCode === 0 ? "" : `It ended with the code ${exitCode}. `;
  tell(`${how}The model is told nothing of it`, exitCode === 0 ? "muted" : "warning");
}
