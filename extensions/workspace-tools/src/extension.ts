import { defineExtension, type Extension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
import { editFileTool } from "./edit-file.ts";
import { listFolderTool } from "./list-folder.ts";
import { readFileTool } from "./read-file.ts";
import { searchTool } from "./search.ts";
import { shellTool } from "./shell.ts";
import { writeFileTool } from "./write-file.ts";

const extension: Extension = defineExtension(
  {
    id: "workspace-tools",
    version: "0.1.0",
    api: "^1",
    capabilities: { fs: { read: ["$cwd"], write: ["$cwd"] }, spawn: ["sh"] },
    contributes: ["tools@1"],
  },
  (host) => {
    const { fs, spawn } = host;
    for (const tool of [
      readFileTool(fs),
      listFolderTool(fs),
      searchTool(fs),
      editFileTool(fs),
      writeFileTool(fs),
      shellTool(spawn),
    ])
      host.contribute(toolsPoint, tool);
  },
);

export default extension;
