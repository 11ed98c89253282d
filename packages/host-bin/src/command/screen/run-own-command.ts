import { absoluteFolders } from "@incipit/host/drivers";

export interface OwnCommandOptions {
  /** Absolute. */
  readonly folder: string;
  /** What the command printed would be gone with the next frame: it waits for Enter. */
  readonly isWholeScreen: boolean;
}

/**
 * Runs a command in the shell of whoever sits here, who has the terminal until it ends; gives its exit code. @throws {Error} when
 * it cannot be started.
 */
export async function runOwnCommand(
  command: string,
  { folder, isWholeScreen }: OwnCommandOptions,
): Promise<number> {
  const shell = process.env["SHELL"] || "sh";
  // Ctrl-C is for the command, which has the terminal.
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  const run = async (...args: readonly string[]): Promise<number> => {
    const child = Bun.spawn([...args], {
      cwd: folder,
      // A program in the working folder is meant only by its path.
      env: { ...process.env, PATH: absoluteFolders(process.env["PATH"]) },
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    });
    return child.exited;
  };
  try {
    const exitCode = await run(shell, "-c", command);
    if (isWholeScreen) await run("sh", "-c", 'printf "\\n[Enter goes back]"; read -r _');
    else if (process.stdout.isTTY) process.stdout.write(freshRow(process.stdout.columns));
    return exitCode;
  } finally {
    process.off("SIGINT", ignore);
  }
}

/**
 * What comes next begins a row of its own, in the terminal's own colours, wherever the command left the cursor: so many spaces
 * go over the end of a row unless they began at its first column, since terminals wrap with the character behind the last column.
 */
function freshRow(columns: number): string {
  return `\u001B[0m${" ".repeat(columns)}\r\u001B[K`;
}
