import { defineExtension, type Extension } from "@incipit/kernel";
import { toolSourcesPoint } from "@incipit/service-contract";
import { settingsSchema } from "./settings.ts";

const extension: Extension = defineExtension(
  {
    id: "mcp-tools",
    version: "0.1.0",
    api: "^1",
    // All of them: the operator's configuration names programs, endpoints and variables, and the host grants just those.
    capabilities: { spawn: true, net: true, env: true },
    contributes: ["tool-sources@1"],
  },
  async (host) => {
    const { cwd, servers: configured } = host.config(settingsSchema);
    if (Object.keys(configured).length === 0) return;
    // Loaded when there is a server: most hosts have none.
    const [{ McpServer }, { toolSource }] = await Promise.all([
      import("./mcp-server.ts"),
      import("./tool-source.ts"),
    ]);
    const servers = Object.entries(configured).map(
      ([name, settings]) => new McpServer({ name, settings, cwd, host }),
    );
    host.defer("servers", async () => {
      await Promise.all(servers.map((server) => server.close()));
    });
    host.contribute(toolSourcesPoint, toolSource(servers, host.clock));
  },
);

export default extension;
