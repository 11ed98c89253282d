import { repositoryFolders } from "@incipit/common";
import type { FileSystem } from "@incipit/kernel";
import type { ProfileTier } from "@incipit/schema";

const timeoutMs = 5_000;

export interface AgentFolder {
  readonly tier: Exclude<ProfileTier, "configuration">;
  readonly path: string;
}

/** Returns the folders with agents, nearest first; outside of a repository, only the working folder. */
export async function foldersOf(
  cwd: string,
  { fs, signal }: { readonly fs: Pick<FileSystem, "locate" | "readFile">; readonly signal: AbortSignal },
): Promise<readonly AgentFolder[]> {
  const found = await fs.locate(".", { cwd, timeoutMs, signal });
  const own = found.kind === "located" ? found.path : cwd;
  const folders = await repositoryFolders(own, { fs, timeoutMs, signal });
  return folders.map((path) => ({ tier: path === own ? "folder" : "parent", path }));
}
