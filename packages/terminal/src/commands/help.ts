import { routes } from "@incipit/transport-contract";
import { Block, hanging } from "../transcript/block.ts";
import type { TerminalCommand } from "./command.ts";
import { keys } from "./keys.ts";

export const help: TerminalCommand = {
  name: "help",
  summary: "shows the commands and the keys",
  async run({ session, style, print, commands }) {
    const { cwd } = session;
    const { commands: own } = await session.client.call(routes.listCommands, { query: { cwd } });
    const rows: (readonly [string, string])[] = [
      ...commands.map(({ name, argument, summary }): readonly [string, string] => [
        `/${name}${argument === undefined ? "" : ` ${argument}`}`,
        summary,
      ]),
      ...own.map(({ name, argumentHint, description }): readonly [string, string] => [
        `/${name}${argumentHint === null ? "" : ` ${argumentHint}`}`,
        description ?? "sends a message of yours",
      ]),
    ];
    print(
      new Block((width) => [
        "",
        style.strong("Commands"),
        ...table(rows, width),
        "",
        style.strong("Keys"),
        ...table(keys, width),
        "",
      ]),
    );
  },
};

const maxFirst = 26;

/** Two columns where there is room for them. */
function table(rows: readonly (readonly [string, string])[], width: number): readonly string[] {
  const first = Math.min(maxFirst, Math.max(...rows.map(([one]) => one.length)) + 2, Math.floor(width / 2));
  return rows.flatMap(([one, other]) => {
    const fits = one.length + 2 <= first;
    const lines = hanging(other, {
      first: fits ? `  ${one.padEnd(first)}` : "    ",
      rest: " ".repeat(first + 2),
      width,
    });
    return fits ? lines : [`  ${one}`, ...hanging(other, { first: " ".repeat(first + 2), width })];
  });
}
