import type { Clock } from "@incipit/kernel";
import type { ToolSource, ToolSourceAnswer } from "@incipit/service-contract";
import { answerTimeoutMs } from "./limits.ts";
import type { McpServer } from "./mcp-server.ts";

/** The tools of all servers. Only those that a conversation may have are started. */
export function toolSource(servers: readonly McpServer[], clock: Clock): ToolSource {
  return {
    id: "mcp",
    async tools({ signal, ...asked }) {
      const wanted = wantedServers(servers, asked);
      return { ...(await toolsOf(wanted, clock, signal)), servers: servers.map(({ name }) => name) };
    },
  };
}

/** Those of which a conversation may have tools. */
export function wantedServers<Server extends Pick<McpServer, "name">>(
  servers: readonly Server[],
  { mcpServers }: { readonly mcpServers?: readonly string[] },
): Server[] {
  return servers.filter(({ name }) => mcpServers?.includes(name) !== false);
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
