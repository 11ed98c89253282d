const timeoutMs = 120_000;

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** @throws with all of its output when it fails. */
export async function runProgram(
  command: readonly string[],
  { cwd, env = process.env, input = "" }: RunOptions,
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env },
    stdin: new Blob([input]),
    timeout: timeoutMs,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const exitCode = await child.exited;
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}
