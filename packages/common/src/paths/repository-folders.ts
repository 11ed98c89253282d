import type { FileSystem } from "@incipit/kernel";
import { dirname } from "node:path";

const maxFolders = 64;

/** A folder, or the file of a worktree or submodule. */
const rootMarks: ReadonlySet<string> = new Set(["not-a-file", "too-large", "denied"]);

/** From the folder up to the root of its repository; only the folder itself outside of one. */
export async function repositoryFolders(
  folder: string,
  {
    fs,
    timeoutMs,
    signal,
  }: {
    readonly fs: Pick<FileSystem, "readFile">;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<readonly string[]> {
  const above = [folder];
  for (let next = dirname(folder); next !== above.at(-1) && above.length < maxFolders; next = dirname(next))
    above.push(next);
  const looks = await Promise.all(above.map((cwd) => fs.readFile(".git", { cwd, maxBytes: 0, timeoutMs, signal })));
  signal.throwIfAborted();
  const root = looks.findIndex((look) => look.kind === "read" || rootMarks.has(look.reason));
  return above.slice(0, Math.max(root, 0) + 1);
}
