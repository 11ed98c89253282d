import { approvalWords } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import { routes, type ToolServerInfo } from "@incipit/transport-contract";
import type { Style } from "../style/style.ts";
import { Block, hanging, harmless } from "../transcript/block.ts";
import { clipped, columns } from "./columns.ts";
import type { CommandContext, TerminalCommand } from "./command.ts";

const maxDescription = 100;

export const mcp: TerminalCommand = {
  name: "mcp",
  summary: "lists the MCP servers with their state; NAME starts one and lists its tools",
  argument: "[NAME]",
  complete: async (context) =>
    (await serversOf(context)).map(({ name, state }) => ({ value: name, label: name, description: state })),
  async run(context, argument) {
    const { session, style, print, tell } = context;
    if (argument !== "") {
      const { server } = await session.client.call(routes.startToolServer, { params: { name: argument } });
      return print(new Block((width) => ["", ...linesOf(server, { style, width, isWhole: true })]));
    }
    const servers = await serversOf(context);
    if (servers.length === 0)
      return tell("No MCP server is configured; to add one: incipit mcp add NAME -- PROGRAM …");
    print(
      new Block((width) => ["", ...servers.flatMap((server) => linesOf(server, { style, width, isWhole: false }))]),
    );
  },
};

async function serversOf({ session }: Pick<CommandContext, "session">): Promise<readonly ToolServerInfo[]> {
  return (await session.client.call(routes.listToolServers)).servers;
}

function linesOf(
  { name, state, target, tools, error, problems, instructions }: ToolServerInfo,
  { style, width, isWhole }: { readonly style: Style; readonly width: number; readonly isWhole: boolean },
): readonly string[] {
  const mark = {
    idle: style.muted("○"),
    starting: style.warning("○"),
    running: style.good("●"),
    failed: style.bad("●"),
  };
  const count = tools === null ? [] : [`${tools.length} ${tools.length === 1 ? "tool" : "tools"}`];
  const head = [
    clippedLine(name, { maxCharacters: 64 }),
    state,
    ...count,
    clippedLine(target, { maxCharacters: 200 }),
  ];
  const told = instructions?.split("\n")[0];
  const rows = (tools ?? []).map((tool) => [
    clippedLine(tool.name, { maxCharacters: 64 }),
    approvalWords[tool.approval],
    clipped(tool.description.trim().split("\n")[0] ?? "", maxDescription),
  ]);
  return [
    ...hanging(head.join("  "), { first: "  ", rest: "    ", width }).map((line, index) =>
      index === 0 ? `${mark[state]}${line.slice(1)}` : line,
    ),
    ...(error === null ? [] : hanging(harmless(error), { first: "    ", width }).map(style.bad)),
    ...problems.flatMap((problem) =>
      hanging(harmless(`It ${problem}`), { first: "    ", width }).map(style.warning),
    ),
    ...(told === undefined
      ? []
      : hanging(`instructions: ${clippedLine(told, { maxCharacters: 200 })}`, { first: "    ", width }).map(
          style.muted,
        )),
    ...(isWhole ? columns(rows, { width, indent: "    " }) : []),
  ];
}
