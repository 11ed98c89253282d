import { absoluteFolders } from "@incipit/common/system";
import { UsageError } from "../registry/usage-error.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";

const isWindows = process.platform === "win32";

/**
 * Runs `$VISUAL`, `$EDITOR` or, at a terminal, `vi` (Windows: Notepad), with shell-quoted arguments.
 * @throws {Error} for an exit code other than 0.
 */
export async function runEditor(path: string): Promise<void> {
  const named = process.env["VISUAL"] || process.env["EDITOR"];
  if (!named && !isAtTerminal())
    throw new UsageError(
      "An editor needs a terminal, and there is none; name one that needs none in VISUAL or EDITOR",
    );
  const editor = named || (isWindows ? "notepad" : "vi");
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    const command = isWindows
      ? ["cmd", "/d", "/s", "/c", `${editor} "${path}"`]
      : ["sh", "-c", `${editor} "$@"`, editor, path];
    const child = Bun.spawn(command, {
      // Never resolves to a program in the working folder.
      env: { ...process.env, PATH: absoluteFolders(process.env["PATH"]) },
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    });
    const code = await child.exited;
    if (code === 0) return;
    const why =
      code === (isWindows ? 9_009 : 127)
        ? "was not found; name one in VISUAL or EDITOR"
        : `ended with the code ${code}`;
    throw new Error(`The editor "${editor}" ${why}; nothing was changed`);
  } finally {
    process.off("SIGINT", ignore);
  }
}
