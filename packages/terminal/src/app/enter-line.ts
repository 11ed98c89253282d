import type { CommandContext } from "../commands/command.ts";
import { composed, type ComposeOptions } from "../input/compose.ts";
import { undisguised } from "../input/disguise.ts";

export type EnterOptions = Pick<ComposeOptions, "attachments" | "readFiles">;

/** Does what a line says: a command of the terminal's own, or a message to the conversation. Gives the turn of a message. */
export async function enterLine(
  line: string,
  context: CommandContext,
  options: EnterOptions,
): Promise<string | undefined> {
  const { session, commands } = context;
  const [, name, argument = ""] = /^\/(\S+)\s*(.*)$/s.exec(undisguised(line).trim()) ?? [];
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) {
    await command.run(context, argument.trim());
    return undefined;
  }
  const { client, cwd, model, facts } = session;
  const { id: conversationId } = await session.begun();
  return session.send(await composed(line, { ...options, client, conversationId, cwd, model, facts }));
}
