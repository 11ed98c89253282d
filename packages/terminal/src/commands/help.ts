import { clippedLine } from "@incipit/schema/text";
import { routes } from "@incipit/transport-contract";
import { Block } from "../transcript/block.ts";
import { columns } from "./columns.ts";
import type { TerminalCommand } from "./command.ts";
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

const keys: readonly (readonly [string, string])[] = [
  ["Enter", "sends what is written, or puts it into the queue while something runs"],
  ["Shift-Enter", "a new line (also Alt-Enter, Ctrl-J, or a \\ before Enter)"],
  ["Esc", "stops what runs, or denies what a tool asks; messages that wait come back into the editor"],
  ["Shift-Tab", "moves into the question that a tool asks: arrows choose, Enter answers"],
  ["Ctrl-C", "clears the editor, then stops what runs; twice leaves"],
  ["Ctrl-D", "leaves, where the editor is empty"],
  ["Up, Down", "what was sent before"],
  ["Ctrl-R", "searches in what was sent before"],
  ["Tab", "completes a command, a file, an argument"],
  ["Alt-Up", "takes the last message back that waits"],
  ["Ctrl-T", "takes the next level of reasoning effort; /effort lists them"],
  ["Ctrl-G", "writes the message in your own editor ($VISUAL, $EDITOR)"],
  ["Ctrl-V", "attaches the picture of the clipboard"],
  ["Ctrl-O", "shows a tool call, a thought or a long message in full: the newest, or another one"],
  ["Ctrl-Z", "suspends the terminal; fg brings it back"],
];
