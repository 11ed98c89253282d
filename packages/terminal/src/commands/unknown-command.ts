import { nearestWord } from "@incipit/host/text";
import { routes } from "@incipit/transport-contract";
import type { CommandContext } from "./command.ts";

/** What to say of a command that nobody knows: it is no message that somebody pays for. `undefined`: there is one. */
export async function unknownCommand(
  name: string,
  { session, commands }: Pick<CommandContext, "session" | "commands">,
): Promise<string | undefined> {
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
