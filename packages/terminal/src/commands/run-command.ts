import type { CommandContext, TerminalCommand } from "./command.ts";

export async function runCommand(
  command: TerminalCommand,
  context: CommandContext,
  argument: string,
): Promise<void> {
  if (command.argument === undefined && argument !== "") context.tell(usageText(command), "warning");
  else await command.run(context, argument);
}

export function usageText({ name, argument }: Pick<TerminalCommand, "name" | "argument">): string {
  return argument === undefined
    ? `Nothing was done: /${name} accepts no arguments`
    : `Nothing was done: write /${name} ${argument}`;
}
