import type { FileSystem } from "@incipit/kernel";
import { dirname } from "node:path";
import { fileTimeoutMs } from "./rule-files.ts";

const maxDepth = 64;

/** A folder, or the file of a worktree or submodule. */
const rootMarks: ReadonlySet<string> = new Set(["not-a-file", "too-large", "denied"]);

/** Only the working folder outside of a repository. `undefined` when it is inaccessible. */
export async function ruleFolders(
  cwd: string,
  { fs, signal }: { readonly fs: Pick<FileSystem, "list" | "readFile">; readonly signal: AbortSignal },
): Promise<readonly string[] | undefined> {
  const listed = await fs.list(".", { cwd, maxEntries: 0, timeoutMs: fileTimeoutMs, signal });
  signal.throwIfAborted();
  if (listed.kind === "absent") return undefined;
  const above = [listed.path];
  for (let next = dirname(listed.path); next !== above.at(-1) && above.length < maxDepth; next = dirname(next))
    above.push(next);
  const looks = await Promise.all(
    above.map((folder) => fs.readFile(".git", { cwd: folder, maxBytes: 0, timeoutMs: fileTimeoutMs, signal })),
  );
  signal.throwIfAborted();
  const root = looks.findIndex((look) => look.kind === "read" || rootMarks.has(look.reason));
  return above.slice(0, Math.max(root, 0) + 1).toReversed();
}
