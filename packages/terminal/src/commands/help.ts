import { clippedLine } from "@incipit/schema/text";
import { routes } from "@incipit/transport-contract";
import { Block } from "../transcript/block.ts";
import { columns } from "./columns.ts";
import type { TerminalCommand } from "./command.ts";
import { keys } from "./keys.ts";
import { ownCommandRow } from "./own-commands.ts";

const shellRows = [
  ["!COMMAND", "runs in your own shell; its output goes with your next message, unless you take it off"],
  ["!!COMMAND", "runs in your own shell; the model is told nothing of it"],
] as const;

export const help: TerminalCommand = {
  name: "help",
  summary: "shows the commands and the keys",
  async run({ session, style, print, commands }) {
    const { cwd } = session;
    const { commands: own } = await session.client.call(routes.listCommands, { query: { cwd } });
    const rows = commands.map(({ name, argument, summary }) => [
      `/${name}${argument === undefined ? "" : ` ${argument}`}`,
      summary,
    ]);
    const ownRows = own.map((command) =>
      ownCommandRow(command).map((cell) => clippedLine(cell, { maxCharacters: 200 })),
    );
    print(
      new Block((width) => [
        "",
        style.strong("Commands"),
        ...columns([...rows, ...shellRows], { width }),
        ...(ownRows.length === 0 ? [] : ["", style.strong("Commands of yours"), ...columns(ownRows, { width })]),
        "",
        style.strong("Keys"),
        ...columns(keys, { width }),
      ]),
    );
  },
};
