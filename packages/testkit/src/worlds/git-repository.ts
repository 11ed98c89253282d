import { mkdir } from "node:fs/promises";
import { join } from "node:path";

export interface GitRepository {
  readonly path: string;
  /** @throws when git fails. */
  git(...args: readonly string[]): Promise<string>;
  write(file: string, content: string): Promise<void>;
  commit(message: string): Promise<void>;
  /** Creates the branch if necessary. */
  switchBranch(name: string): Promise<void>;
}

/** With one commit on `main`; isolated from the user's git configuration. */
export async function createGitRepository(
  path: string,
  files: Readonly<Record<string, string>> = {},
): Promise<GitRepository> {
  await mkdir(path, { recursive: true });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: path,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Test",
    GIT_AUTHOR_EMAIL: "test@example.org",
    GIT_COMMITTER_NAME: "Test",
    GIT_COMMITTER_EMAIL: "test@example.org",
  };
  const repository: GitRepository = {
    path,
    async git(...args) {
      const child = Bun.spawn(["git", ...args], {
        cwd: path,
        env,
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      const [stdout, stderr, exitCode] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      if (exitCode !== 0) throw new Error(`git ${args.join(" ")} ended with ${exitCode}: ${stderr}`);
      return stdout;
    },
    async write(file, content) {
      await Bun.write(join(path, file), content);
    },
    async commit(message) {
      await repository.git("add", "--all");
      await repository.git("commit", "--quiet", "--allow-empty", "--message", message);
    },
    async switchBranch(name) {
      await repository.git("checkout", "--quiet", "-B", name);
    },
  };
  await repository.git("init", "--quiet", "--initial-branch=main");
  for (const [file, content] of Object.entries(files)) await repository.write(file, content);
  await repository.commit("first");
  return repository;
}
