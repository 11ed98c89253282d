import { chown, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";

const timeoutMs = 120_000;

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface BareRun {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A simulated user with only node and npm: no git, Bun or `HOME`. The home folder has a space in its name. */
export interface BareMachine {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  readonly asUser: (command: readonly string[]) => readonly string[];
  readonly run: (command: readonly string[], options?: BareRun) => Promise<RunResult>;
}

/**
 * @param settings Environment variables.
 * @param node Path of Node; defaults to this machine's.
 */
export async function createBareMachine(
  path: string,
  settings: Readonly<Record<string, string>>,
  node = Bun.which("node"),
): Promise<BareMachine> {
  const bin = join(path, "system bin");
  const home = join(path, "some body");
  await mkdir(bin, { recursive: true });
  await mkdir(home, { recursive: true });
  if (isRoot) await chown(home, nobody, nobody);
  for (const name of ["node", "npm", "npx", "sh"]) {
    const found = name === "node" ? node : Bun.which(name);
    if (found === null) throw new Error(`"${name}" is not on the path`);
    await symlink(found, join(bin, name));
  }
  const env = {
    PATH: bin,
    LANG: "C.UTF-8",
    npm_config_cache: join(home, "npm cache"),
    npm_config_update_notifier: "false",
    INCIPIT_DATA: join(home, "data"),
    ...settings,
  };
  const asUser = (command: readonly string[]): readonly string[] => {
    if (!isRoot) return command;
    const [program = "", ...rest] = command;
    const found = program.includes("/") ? program : join(bin, program);
    return ["/usr/bin/setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--", found, ...rest];
  };
  return {
    path: home,
    env,
    asUser,
    async run(command, { cwd = home, env: more = {}, input = "" } = {}) {
      const child = Bun.spawn([...asUser(command)], {
        cwd,
        env: { ...env, ...more },
        stdin: new Blob([input]),
        stdout: "pipe",
        stderr: "pipe",
        timeout: timeoutMs,
      });
      const [stdout, stderr, exitCode] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { exitCode, stdout, stderr };
    },
  };
}
