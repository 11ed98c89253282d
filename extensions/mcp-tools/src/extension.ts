import { defineExtension, type Extension } from "@incipit/kernel";
import { hostDefaultsHandle, toolSourcesPoint } from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "mcp-tools",
    version: "0.1.0",
    api: "^1",
    // All of them: the operator's configuration names programs, endpoints and variables, and the host grants just those.
    capabilities: { spawn: true, net: true, env: true },
    dependsOn: { required: ["host-defaults@1"] },
    contributes: ["tool-sources@1"],
  },
  { configuration },
  async (host, { mcp: { servers: configured } }) => {
    if (Object.keys(configured).length === 0) return;
    // Loaded when there is a server: most hosts have none.
    const [{ McpServer }, { toServerSettings }, { toolSource }] = await Promise.all([
      import("./mcp-server.ts"),
      import("./settings.ts"),
      import("./tool-source.ts"),
    ]);
    const { cwd } = host.getService(hostDefaultsHandle).get();
    const servers = Object.entries(configured).map(
      ([name, server]) => new McpServer({ name, settings: toServerSettings(server, cwd), host }),
    );
    host.defer("servers", async () => {
      await Promise.all(servers.map((server) => server.close()));
    });
    host.contribute(toolSourcesPoint, toolSource(servers, host.clock));
  },
);

export default extension;
