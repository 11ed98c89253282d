import type { Host } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import { editFileTool } from "./edit-file.ts";
import { listFolderTool } from "./list-folder.ts";
import { readFileTool } from "./read-file.ts";
import { searchTool } from "./search.ts";
import { shellTool } from "./shell.ts";
import { writeFileTool } from "./write-file.ts";

/** What a model can do in the working folder of its conversation. */
export function workspaceTools({ fs, spawn }: Pick<Host, "fs" | "spawn">): readonly Tool[] {
  return [
    readFileTool(fs),
    listFolderTool(fs),
    searchTool(fs),
    editFileTool(fs),
    writeFileTool(fs),
    shellTool(spawn),
  ];
}
