import type { FileSystem } from "@incipit/kernel";

const timeoutMs = 5_000;

export async function realFolder(
  cwd: string,
  { fs, signal }: { readonly fs: Pick<FileSystem, "list">; readonly signal: AbortSignal },
): Promise<string> {
  const listed = await fs.list(".", { cwd, signal, timeoutMs, maxEntries: 0 });
  return listed.kind === "listed" ? listed.path : cwd;
}
