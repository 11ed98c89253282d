import { defineExtension, type Extension } from "@incipit/kernel";
import {
  commandSourcesPoint,
  hostDefaultsHandle,
  promptSegmentsPoint,
  ServiceError,
  toolServersHandle,
  toolSourcesPoint,
  type ToolServers,
} from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const none = (): Promise<never> =>
  Promise.reject(
    new ServiceError("TOOL_SERVER_UNKNOWN", "No MCP server is configured; add one under [mcp.servers.NAME]"),
  );

const withoutServers: ToolServers = {
  list: () => Promise.resolve([]),
  start: none,
  resources: none,
  readResource: none,
  beginSignIn: none,
  finishSignIn: none,
  signOut: none,
};

const extension: Extension = defineExtension(
  {
    id: "mcp-tools",
    version: "0.1.0",
    api: "^1",
    // The host grants only what the operator's configuration names.
    capabilities: { spawn: true, net: true, env: true, storage: { namespaces: ["sign-ins"] } },
    dependsOn: { required: ["host-defaults@1"] },
    provides: ["tool-servers@1"],
    contributes: ["command-sources@1", "prompt-segments@1", "tool-sources@1"],
  },
  { configuration },
  async (host, { mcp: { servers: configured } }) => {
    if (Object.keys(configured).length === 0) {
      host.provideService(toolServersHandle, withoutServers);
      return;
    }
    const [
      { commandSource },
      { ConfiguredServer },
      { toServerSettings },
      { toolServers },
      { toolSource },
      { instructionsSegment },
    ] = await Promise.all([
      import("./command-source.ts"),
      import("./configured-server.ts"),
      import("./settings.ts"),
      import("./tool-servers.ts"),
      import("./tool-source.ts"),
      import("./instructions-segment.ts"),
    ]);
    const { cwd } = host.getService(hostDefaultsHandle).get();
    const signIns = host.storage("sign-ins");
    const servers = Object.entries(configured).map(
      ([name, server]) => new ConfiguredServer({ name, settings: toServerSettings(name, server), host, signIns }),
    );
    host.defer("servers", async () => {
      await Promise.all(servers.map((server) => server.close()));
    });
    host.provideService(toolServersHandle, toolServers(servers, cwd));
    host.contribute(toolSourcesPoint, toolSource(servers, host.clock, cwd));
    host.contribute(commandSourcesPoint, commandSource(servers, cwd));
    if (!servers.some(({ hasInstructions }) => hasInstructions)) return;
    host.contribute(promptSegmentsPoint, instructionsSegment(servers, host.clock, cwd));
  },
);

export default extension;
