import { nearestWord } from "@incipit/host/text";
import { parseCommandCall } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { CommandContext } from "../commands/command.ts";
import { composed, type ComposeOptions } from "../input/compose.ts";
import { undisguised } from "../input/disguise.ts";
import { ownCommandIn, ranOwnCommand, type OwnCommandOptions } from "./own-command.ts";

export type EnterOptions = Pick<ComposeOptions, "attachments" | "readFiles"> & OwnCommandOptions;

/**
 * Does what a line says: a command for the shell, one of the terminal's own, or a message to the conversation. White space in front makes any line
 * a message. Gives the turn of a message.
 */
export async function enterLine(
  line: string,
  context: CommandContext,
  options: EnterOptions,
): Promise<string | undefined> {
  const { session, commands } = context;
  const own = ownCommandIn(line);
  if (own !== undefined) {
    await ranOwnCommand(undisguised(own), context, options);
    return undefined;
  }
  const written = undisguised(line);
  const [, name, argument = ""] = /^\/(\S+)\s*(.*)$/s.exec(written) ?? [];
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) {
    await command.run(context, argument.trim());
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
  const meant = nearest === undefined ? " (/help lists them all)" : `; did you mean /${nearest}?`;
  return `There is no command /${name}${meant}${nearest === undefined ? "." : ""} To send it as a message, put a space in front of it.`;
}
