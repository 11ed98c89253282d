import { parseCommandCall } from "@incipit/schema";
import { withNamedResources } from "@incipit/transport-contract";
import type { CommandContext } from "../commands/command.ts";

/** Does what a line says: a command of the terminal's own, or a message to the conversation. */
export async function enterLine(line: string, context: CommandContext): Promise<void> {
  const { session, commands } = context;
  const [, name, argument = ""] = /^\/(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return command.run(context, argument.trim());
  const call = parseCommandCall(line);
  if (call !== undefined) return session.send({ command: call });
  const { id } = await session.begun();
  const input = await withNamedResources(line, { client: session.client, typed: line, conversationId: id });
  return session.send({ input });
}
