import type { Host } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import { editFileTool } from "./edit-file.ts";
import { findFilesTool } from "./find-files.ts";
import { listFolderTool } from "./list-folder.ts";
import { readFileTool } from "./read-file.ts";
import { searchTool } from "./search.ts";
import { shellTool } from "./shell.ts";
import type { WorkspaceToolName } from "./tool-names.ts";
import { writeFileTool } from "./write-file.ts";

export function workspaceTools(host: Pick<Host, "fs" | "spawn" | "clock">): readonly Tool[] {
  const { fs, spawn } = host;
  const tools: Readonly<Record<WorkspaceToolName, Tool>> = {
    read_file: readFileTool(fs),
    list_folder: listFolderTool(fs),
    find_files: findFilesTool(host),
    search: searchTool(host),
    edit_file: editFileTool(fs),
    write_file: writeFileTool(fs),
    shell: shellTool(spawn),
  };
  return Object.values(tools);
}
