import type { FileSystem } from "@incipit/kernel";
import type { ProfileTier } from "@incipit/schema";
import { dirname } from "node:path";

const timeoutMs = 5_000;
const maxFolders = 64;

export interface AgentFolder {
  readonly tier: Exclude<ProfileTier, "configuration">;
  readonly path: string;
}

/** Nearest first; only the working folder outside of a repository. `undefined` when it is inaccessible. */
export async function foldersOf(
  cwd: string,
  { fs, signal }: { readonly fs: Pick<FileSystem, "locate" | "readFile">; readonly signal: AbortSignal },
): Promise<readonly AgentFolder[]> {
  const found = await fs.locate(".", { cwd, timeoutMs, signal });
  const own = found.kind === "located" ? found.path : cwd;
  const folders: AgentFolder[] = [];
  for (let path = own; folders.length < maxFolders; path = dirname(path)) {
    folders.push({ tier: path === own ? "folder" : "parent", path });
    // A folder, or a file in a worktree.
    const git = await fs.readFile(".git", { cwd: path, maxBytes: 4_096, timeoutMs, signal });
    if (git.kind === "read" || (git.reason !== "not-found" && git.reason !== "failed" && git.reason !== "timeout"))
      return folders;
    if (dirname(path) === path) break;
  }
  return folders.slice(0, 1);
}
