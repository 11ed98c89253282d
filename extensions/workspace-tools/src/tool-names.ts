/** Reserved even when the extension is disabled. */
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
