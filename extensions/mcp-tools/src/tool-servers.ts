import { Redactor } from "@incipit/redaction";
import { ServiceError, type ToolServer, type ToolServers } from "@incipit/service-contract";
import type { McpServer } from "./mcp-server.ts";

/** The configured servers, for those who look at them. */
export function toolServers(servers: readonly McpServer[]): ToolServers {
  let byShape: Promise<Redactor> | undefined;
  const shown = async (server: McpServer): Promise<ToolServer> => {
    // Somebody may have written a key where the name of a variable belongs.
    const redactor = await (byShape ??= Redactor.create({ secrets: [], patterns: [] }));
    const state = server.state();
    return { ...state, target: redactor.redact(state.target) };
  };
  return {
    list: () => Promise.all(servers.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(shown)),
    async start(name, { signal }) {
      const server = servers.find((one) => one.name === name);
      if (server === undefined) {
        const message = `No server of tools has the name ${JSON.stringify(name)}; write it in [mcp.servers] of the configuration`;
        throw new ServiceError("TOOL_SERVER_UNKNOWN", message);
      }
      await server.tools(signal);
      return shown(server);
    },
  };
}
