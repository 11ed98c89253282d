import { parseCommandCall } from "@incipit/schema";
import type { CommandContext } from "../commands/command.ts";
import { runCommand } from "../commands/run-command.ts";
import { unknownCommand } from "../commands/unknown-command.ts";
import { composed, type ComposeOptions } from "../input/compose.ts";
import { undisguised } from "../input/editor-encoding.ts";
import { ownCommandIn, runShellCommand, type OwnCommandOptions } from "./shell-command.ts";

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
