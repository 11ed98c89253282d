import { nearestWord } from "@incipit/common/suggestion";
import { routes } from "@incipit/transport-contract";
import type { CommandContext } from "./command.ts";

/** An unknown command must not be sent as a paid message. Returns `undefined` if it exists. */
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
  // It may belong to an unreachable server: the host reports that, with the known commands.
  if (nearest === undefined && problems.length > 0) return undefined;
  const meant = nearest === undefined ? " (/help lists them all)" : `; did you mean /${nearest}?`;
  return `Unknown command /${name}${meant}${nearest === undefined ? "." : ""} To send it as a message, start it with a space.`;
}
