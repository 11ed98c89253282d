import { existsSync } from "node:fs";
import { join } from "node:path";

/** What authors of frontends use, from npm at pinned versions. */
const folder = join(import.meta.dir, "frontend-tools/node_modules");

const timeoutMs = 60_000;

/** Where the tools lie. @throws when nobody has installed them. */
export function frontendTools(): string {
  if (existsSync(folder)) return folder;
  throw new Error('The tools are not installed; "bun run check" does it, or "bun run frontend-tools"');
}

export interface ToolOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end; gives what it prints. @throws with all that it printed when it fails. */
export async function runTool(
  command: readonly string[],
  { cwd, input = "", env = {} }: ToolOptions,
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...env, DO_NOT_TRACK: "1" },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: timeoutMs,
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const exitCode = await child.exited;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}
