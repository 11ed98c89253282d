import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Branch, or the start of the commit id; `undefined` outside a repository. */
export function gitBranch(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const head = headIn(join(at, ".git"));
    if (head !== undefined) return head.startsWith("ref: refs/heads/") ? head.slice(16) : head.slice(0, 8);
    if (dirname(at) === at) return undefined;
  }
}

/** In a worktree, `.git` is a file that names its folder: https://git-scm.com/docs/gitrepository-layout */
function headIn(path: string): string | undefined {
  try {
    const folder = statSync(path).isDirectory()
      ? path
      : resolve(
          dirname(path),
          readFileSync(path, "utf8")
            .replace(/^gitdir: /, "")
            .trim(),
        );
    return readFileSync(join(folder, "HEAD"), "utf8").trim();
  } catch {
    return undefined;
  }
}
