import type { FileSystem } from "@incipit/kernel";
import { join, relative } from "node:path";
import { fileTimeoutMs } from "./read-text.ts";

const maxFiles = 100;
const maxFolders = 20;

/** Relative to the skill's folder. Does not follow links. */
export async function filesOf(
  fs: Pick<FileSystem, "list">,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly files: string[]; readonly hasMoreFiles: boolean }> {
  const files: string[] = [];
  const folders = [folder];
  let hasMoreFiles = false;
  for (const [index, path] of folders.entries()) {
    if (index === maxFolders) {
      hasMoreFiles = true;
      break;
    }
    const options = { cwd: folder, maxEntries: maxFiles, timeoutMs: fileTimeoutMs, signal };
    const listed = await fs.list(path, options);
    signal.throwIfAborted();
    if (listed.kind === "absent") continue;
    if (listed.leftOut > 0) hasMoreFiles = true;
    for (const { name, kind } of listed.entries) {
      const inner = relative(folder, join(path, name));
      if (kind === "folder" && !name.startsWith(".") && name !== "node_modules") folders.push(join(path, name));
      if (kind === "file" && inner !== "SKILL.md") files.push(inner);
    }
  }
  const sorted = files.toSorted((a, b) => (a < b ? -1 : 1));
  return { files: sorted.slice(0, maxFiles), hasMoreFiles: hasMoreFiles || sorted.length > maxFiles };
}
