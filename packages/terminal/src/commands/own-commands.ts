import { clippedLine } from "@incipit/schema/text";
import type { Command } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { Block, harmless, hanging } from "../transcript/block.ts";
import { columns } from "./columns.ts";
import type { TerminalCommand } from "./command.ts";

/** Returns a row for a command; its texts are not sanitized. */
export function ownCommandRow({ name, argumentHint, description }: Command): readonly [string, string] {
  return [`/${name}${argumentHint === null ? "" : ` ${argumentHint}`}`, description ?? "sends a saved message"];
}

export const ownCommands: TerminalCommand = {
  name: "commands",
  summary: "lists the message commands: yours, this folder's, and those of MCP servers",
  async run({ session, style, print, tell }) {
    const { cwd } = session;
    const { commands, leftOut, problems } = await session.client.call(routes.listCommands, { query: { cwd } });
    if (commands.length === 0)
      tell(
        "No commands; to add one, write .agents/commands/NAME.md in a folder, or commands/NAME.md next to your incipit.toml",
      );
    const rows = commands.map((command) => {
      const [name, said] = ownCommandRow(command);
      const where = command.path ?? (command.source === "server" ? "an MCP server" : command.source);
      return [name, `${said} (${where})`].map((cell) => clippedLine(cell, { maxCharacters: 400 }));
    });
    const wrong = [...leftOut.map(({ path, reason }) => `${path}: ${reason}`), ...problems];
    print(
      new Block((width) => [
        "",
        ...columns(rows, { width }),
        ...wrong.flatMap((line) => hanging(harmless(line), { first: "  ! ", width }).map(style.warning)),
      ]),
    );
  },
};
