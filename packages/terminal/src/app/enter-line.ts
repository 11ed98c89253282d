import { nearestWord } from "@incipit/host/text";
import { parseCommandCall } from "@incipit/schema";
import { routes, withNamedResources } from "@incipit/transport-contract";
import type { CommandContext } from "../commands/command.ts";

/**
 * Does what a line says: a command of the terminal's own, or a message to the conversation. White space in front makes any line
 * a message.
 */
export async function enterLine(line: string, context: CommandContext): Promise<void> {
  const { session, commands } = context;
  const [, name, argument = ""] = /^\/(\S+)\s*(.*)$/s.exec(line) ?? [];
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) return command.run(context, argument.trim());
  const call = parseCommandCall(line);
  if (call !== undefined) {
    const unknown = await unknownCommand(call.name, context);
    if (unknown === undefined) return session.send({ command: call });
    context.tell(unknown, "warning");
    return context.write(line);
  }
  const { id } = await session.begun();
  const typed = line.trim();
  const input = await withNamedResources(typed, { client: session.client, typed, conversationId: id });
  return session.send({ input });
}

/** What to say of a command that nobody knows: it is no message that somebody pays for. `undefined`: there is one. */
async function unknownCommand(name: string, { session, commands }: CommandContext): Promise<string | undefined> {
  const { client, cwd } = session;
  const { commands: own, problems } = await client.call(routes.listCommands, { query: { cwd } });
  if (own.some((one) => one.name === name)) return undefined;
  const nearest = nearestWord(
    name,
    [...commands, ...own].map((one) => one.name),
  );
  // One of a server that cannot be asked now, perhaps: the host says so, and what it knows.
  if (nearest === undefined && problems.length > 0) return undefined;
  const meant = nearest === undefined ? " (/help shows those that there are)" : `; did you mean /${nearest}?`;
  return `There is no command /${name}${meant}${nearest === undefined ? "." : ""} To send it as a message, put a space in front of it.`;
}
