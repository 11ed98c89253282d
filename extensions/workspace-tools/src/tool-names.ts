/** What the tools of this extension are called, whether it is there or not: nobody else's may be called so. */
export const workspaceToolNames = [
  "edit_file",
  "find_files",
  "list_folder",
  "read_file",
  "search",
  "shell",
  "write_file",
] as const satisfies readonly string[];
export type WorkspaceToolName = (typeof workspaceToolNames)[number];
