import type { FileSystem, FolderEntry } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { fileTimeoutMs } from "./limits.ts";
import { pathSchema } from "./path-schema.ts";
import { formatPath } from "./format-path.ts";
import { explain } from "./workspace-file.ts";

/** Names have at most 255 bytes, so this many always fit into a result. */
const maxEntries = 500;

export function listFolderTool(fs: FileSystem): Tool {
  return defineTool({
    name: "list_folder",
    description:
      "Lists a folder of the working folder, one entry a line, sorted: folders end in /, files are followed by their size in bytes, links and other things say what they are.",
    isReadOnly: true,
    input: z.strictObject({ path: pathSchema.default(".") }),
    async run({ path }, { cwd, signal }) {
      const listed = await fs.list(path, { cwd, signal, maxEntries, timeoutMs: fileTimeoutMs });
      if (listed.kind === "absent") throw new Error(`Cannot list "${path}": ${explain(listed)}`);
      const lines = listed.entries.map(describe);
      if (lines.length === 0) lines.push("[the folder is empty]");
      if (listed.leftOut > 0) lines.push(`[cut: ${listed.leftOut} more entries are not shown]`);
      return lines.join("\n");
    },
  });
}

function describe({ name, kind, sizeBytes }: FolderEntry): string {
  const shown = formatPath(name);
  switch (kind) {
    case "folder":
      return `${shown}/`;
    case "file":
      return `${shown} (${sizeBytes} bytes)`;
    case "link":
      return `${shown} (link)`;
    case "other":
      return `${shown} (no regular file)`;
  }
}
