import type { Clock } from "@incipit/kernel";
import type { ToolSource, ToolSourceAnswer } from "@incipit/service-contract";
import { answerTimeoutMs } from "./limits.ts";
import type { McpServer } from "./mcp-server.ts";

/** The tools of all servers. Only those that a conversation may have are started. */
export function toolSource(servers: readonly McpServer[], clock: Clock): ToolSource {
  return {
    id: "mcp",
    async tools({ mcpServers, signal }) {
      const wanted = mcpServers === undefined ? servers : servers.filter(({ name }) => mcpServers.includes(name));
      const { tools, problems } = await toolsOf(wanted, clock, signal);
      return { tools, problems: [...problems, ...unknownServers(servers, mcpServers)] };
    },
  };
}

/** The tools of servers, by name; one that fails or is late costs its own tools alone. Never rejects. */
export async function toolsOf(
  servers: readonly McpServer[],
  clock: Clock,
  signal: AbortSignal,
): Promise<ToolSourceAnswer> {
  const late = new AbortController();
  const cancel = clock.setTimer(() => late.abort(), answerTimeoutMs);
  const either = AbortSignal.any([signal, late.signal]);
  const answers = await Promise.all(servers.map((server) => server.tools(either)));
  cancel();
  return {
    tools: answers.flatMap(({ tools }) => tools).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    problems: answers.flatMap(({ problems }) => problems),
  };
}

/** A name that no server has would else be missed by nobody. */
function unknownServers(
  servers: readonly McpServer[],
  wanted: readonly string[] | undefined = [],
): readonly string[] {
  return wanted
    .filter((name) => !servers.some((server) => server.name === name))
    .map((name) => `No MCP server is "${name}", whose tools this conversation may have`);
}
