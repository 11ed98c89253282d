import { defineExtension, type Extension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "workspace-tools",
    version: "0.1.0",
    api: "^1",
    capabilities: { fs: { read: ["$cwd"], write: ["$cwd"] }, spawn: ["sh", "rg"] },
    contributes: ["tools@1"],
  },
  { configuration },
  async (host) => {
    // Loaded when it is started: most hosts leave it off.
    const { workspaceTools } = await import("./workspace-tools.ts");
    for (const tool of workspaceTools(host)) host.contribute(toolsPoint, tool);
  },
);

export default extension;
