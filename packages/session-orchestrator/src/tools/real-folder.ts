import type { FileSystem } from "@incipit/kernel";

const timeoutMs = 5_000;

/** Where a folder leads by now, links followed; the name itself where that cannot be told, as where nothing is. */
export async function realFolder(
  cwd: string,
  { fs, signal }: { readonly fs: Pick<FileSystem, "list">; readonly signal: AbortSignal },
): Promise<string> {
  const listed = await fs.list(".", { cwd, signal, timeoutMs, maxEntries: 0 });
  return listed.kind === "listed" ? listed.path : cwd;
}
