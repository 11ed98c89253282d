import { defineExtension, type Extension } from "@incipit/kernel";
import { toolsPoint, workspaceFilesHandle } from "@incipit/service-contract";
import { configuration } from "./configuration.ts";

const extension: Extension = defineExtension(
  {
    id: "workspace-tools",
    version: "0.1.0",
    api: "^1",
    capabilities: { fs: { read: ["$cwd"], write: ["$cwd"] }, spawn: ["sh", "rg"] },
    provides: ["workspace-files@1"],
    contributes: ["tools@1"],
  },
  { configuration },
  async (host) => {
    const [{ workspaceTools }, { workspaceFiles }] = await Promise.all([
      import("./workspace-tools.ts"),
      import("./workspace-files.ts"),
    ]);
    for (const tool of workspaceTools(host)) host.contribute(toolsPoint, tool);
    host.provideService(workspaceFilesHandle, workspaceFiles(host.fs));
  },
);

export default extension;
