import { clippedLine } from "@incipit/schema/text";
import { routes } from "@incipit/transport-contract";
import { Block } from "../transcript/block.ts";
import { columns } from "./columns.ts";
import type { TerminalCommand } from "./command.ts";
import { ownCommandRow } from "./own-commands.ts";

const shellRows = [
  ["!COMMAND", "runs in your shell; attaches the output to your next message"],
  ["!!COMMAND", "runs in your shell; the model does not see it"],
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
        ...(ownRows.length === 0 ? [] : ["", style.strong("Your commands"), ...columns(ownRows, { width })]),
        "",
        style.strong("Keys"),
        ...columns(keys, { width }),
      ]),
    );
  },
};

const keys: readonly (readonly [string, string])[] = [
  ["Enter", "sends the message, or queues it during a turn"],
  ["Shift-Enter", "a new line (also Alt-Enter, Ctrl-J, or a \\ before Enter)"],
  ["Esc", "stops the turn, or denies a tool call; queued messages return to the editor"],
  ["Shift-Tab", "moves to the open question: arrows choose, Enter answers"],
  ["Ctrl-C", "clears the editor, then stops the turn; twice exits"],
  ["Ctrl-D", "exits if the editor is empty"],
  ["Up, Down", "previous and next sent message"],
  ["Ctrl-R", "searches the sent messages"],
  ["Tab", "completes a command, a file, an argument"],
  ["Alt-Up", "returns the last queued message to the editor"],
  ["Ctrl-T", "switches to the next reasoning effort; /effort lists them"],
  ["Ctrl-G", "writes the message in your own editor ($VISUAL, $EDITOR)"],
  ["Ctrl-V", "attaches the image in the clipboard"],
  ["Ctrl-O", "shows a tool call, a thought or a long message in full: the newest, or another one"],
  ["Ctrl-Z", "suspends the terminal; fg brings it back"],
];
