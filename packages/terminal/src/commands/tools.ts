import { approvalWords, brokenExtensions, deferReasons, missingToolsLines } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import { isToolAllowed, leftOutToolText, type Conversation } from "@incipit/schema";
import { routes, type ToolServerInfo } from "@incipit/transport-contract";
import { Block, hanging, harmless } from "../transcript/block.ts";
import { clipped, columns } from "./columns.ts";
import type { TerminalCommand } from "./command.ts";

const maxDescription = 100;

export const tools: TerminalCommand = {
  name: "tools",
  summary: "lists the tools, their source, and which need approval",
  async run({ session, style, print, tell }) {
    const { client, conversation } = session;
    const [{ servers }, { extensions }] = await Promise.all([
      client.call(routes.listToolServers),
      client.call(routes.listExtensions),
    ]);
    const missing = missingToolsLines(brokenExtensions(extensions));
    if (conversation === undefined) {
      for (const line of missing) tell(line, "warning");
      return tell("The first message fixes the tools; /mcp lists those of MCP servers");
    }
    const answer = await client.call(routes.getConversationTools, { params: { id: conversation.id } });
    const rows = answer.tools.map(({ name, description, isAvailable }) => {
      const { from, approval } = originOf(name, { servers, conversation });
      const said = `${isAvailable ? "" : "(unavailable: calls fail) "}${firstLine(description)}`;
      return [
        clippedLine(name, { maxCharacters: 64 }),
        approval,
        clippedLine(from, { maxCharacters: 30 }),
        clipped(said, maxDescription),
      ];
    });
    const lookedUp = answer.deferred.map(({ server, reason, tools: ofServer }) => {
      const names = ofServer.map(({ name, isAvailable }) => `${name}${isAvailable ? "" : " (unavailable)"}`);
      const head = `Deferred tools: ${ofServer.length} of ${server}, as ${deferReasons[reason]}`;
      return { head: harmless(head), names: harmless(names.join(", ")) };
    });
    const { added, removed, changed, problems } = answer.next;
    const later = [
      ...answer.leftOut.map(leftOutToolText),
      ...(added.length === 0 ? [] : [`Added in the next epoch: ${added.join(", ")}`]),
      ...(removed.length === 0 ? [] : [`Removed in the next epoch: ${removed.join(", ")}`]),
      ...(changed.length === 0 ? [] : [`Changed in the next epoch: ${changed.join(", ")}`]),
      ...problems,
      ...missing,
    ];
    const isEmpty = rows.length === 0 && lookedUp.length === 0;
    if (isEmpty) tell("No tools");
    if (isEmpty && later.length === 0) return;
    print(
      new Block((width) => [
        "",
        ...columns(rows, { width }),
        ...lookedUp.flatMap(({ head, names }) => [
          ...hanging(style.strong(head), { first: "  ", width }),
          ...hanging(names, { first: "    ", width }),
        ]),
        ...later.flatMap((line) => hanging(harmless(line), { first: "  ! ", width }).map(style.warning)),
      ]),
    );
  },
};

function originOf(
  name: string,
  { servers, conversation }: { readonly servers: readonly ToolServerInfo[]; readonly conversation: Conversation },
): { readonly from: string; readonly approval: string } {
  const { askedTools, deniedTools } = conversation;
  const found = servers.flatMap((server) =>
    (server.tools ?? []).flatMap((tool) => (tool.name === name ? [{ from: server.name, tool }] : [])),
  )[0];
  const said = found === undefined ? "by the tool" : approvalWords[found.tool.approval];
  const isDenied = deniedTools !== undefined && isToolAllowed(deniedTools, name);
  const isAsked = askedTools !== undefined && isToolAllowed(askedTools, name);
  return {
    from: found === undefined ? "host" : `MCP ${found.from}`,
    approval: isDenied ? "never runs" : isAsked ? approvalWords.ask : said,
  };
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
