import { shorten } from "@incipit/common";
import { ServiceError, type CommandSource, type OfferedCommand } from "@incipit/service-contract";
import type { ConfiguredServer } from "./configured-server.ts";
import type { ListedPrompt } from "./listed-prompts.ts";
import { usageOf } from "./prompt-arguments.ts";
import { folderOf } from "./tool-source.ts";

export function commandSource(servers: readonly ConfiguredServer[], folder: string): CommandSource {
  const sendable = servers.filter(({ name }) => /^[A-Za-z0-9]/.test(name)); // Required start of command names.
  return {
    id: "mcp",
    async commands({ call, signal }) {
      const asked = call === undefined ? sendable : sendable.filter((server) => isOf(server, call));
      const isCall = call !== undefined;
      // Listing commands must not choose where a program starts.
      const lists = await Promise.all(asked.map((server) => server.prompts(folder, { isCall, signal })));
      return {
        commands: lists.flatMap(({ prompts }) => prompts).map(offered),
        problems: lists.flatMap(({ problems }) => problems),
      };
    },
    async expand(call, { signal, ...place }) {
      const server = sendable.find((one) => call.name.startsWith(`${one.name}__`));
      if (server !== undefined) return server.promptMessage(folderOf(place, folder), call, { signal });
      throw new ServiceError("COMMAND_UNKNOWN", `No MCP server has the command ${JSON.stringify(call.name)}`);
    },
  };
}

/** Returns whether a command belongs to a server. Ignores case, hyphens and underscores, which some chats change. */
function isOf({ name }: ConfiguredServer, command: string): boolean {
  return folded(command).startsWith(folded(`${name}__`));
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function offered({ name, description, arguments: known }: ListedPrompt): OfferedCommand {
  const lines = known.map(({ name: argument, description: said, isRequired }) => {
    const about = said === "" ? "" : `: ${said}`;
    return `- ${argument}${isRequired ? "" : " (optional)"}${about}`;
  });
  const takes = lines.length === 0 ? "No arguments." : `Arguments:\n\n${lines.join("\n")}`;
  const body = [description, takes, "The server creates the message when you send the command."].filter(
    (part) => part !== "",
  );
  return {
    name,
    description: description === "" ? null : shorten(description, 1_024),
    argumentHint: shorten(usageOf(known) ?? "", 200) || null,
    body: body.join("\n\n"),
  };
}
