import { absoluteFolders } from "@incipit/common/system";
import { ignoredSecretReason, Redactor } from "@incipit/redaction";
import { stripVTControlCharacters } from "node:util";

interface OwnCommandOptions {
  readonly folder: string;
  /** Whether to wait for Enter after the command, because the next frame clears the screen. */
  readonly isWholeScreen: boolean;
}

interface OwnCommandEnd {
  readonly exitCode: number;
  /** `undefined` if the command used the alternate screen, or if output cannot be captured on this system. */
  readonly output: string | undefined;
}

/** Limit on waiting for the pseudo-terminal to close: background processes keep it open after the command. */
const closedTimeoutMs = 500;

/**
 * Runs a command of the user, which owns the terminal until it ends.
 * @throws {Error} when it cannot be started.
 */
export async function runOwnCommand(
  command: string,
  { folder, isWholeScreen }: OwnCommandOptions,
): Promise<OwnCommandEnd> {
  const shell = process.env["SHELL"] || "sh";
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  try {
    const hasTerminal = process.stdin.isTTY && process.stdout.isTTY && process.platform !== "win32";
    const end = hasTerminal
      ? await runInTerminal([shell, "-c", command], folder)
      : { exitCode: await run([shell, "-c", command], folder), output: undefined };
    if (isWholeScreen) await run(["sh", "-c", 'printf "\\n[Enter goes back]"; read -r _'], folder);
    else if (process.stdout.isTTY) process.stdout.write(freshRow(process.stdout.columns));
    return end;
  } finally {
    process.off("SIGINT", ignore);
  }
}

async function run(args: readonly string[], folder: string): Promise<number> {
  const child = Bun.spawn([...args], {
    cwd: folder,
    env: ownEnv(),
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  return child.exited;
}

/** Runs a program in a pseudo-terminal, so that its output can be captured. */
async function runInTerminal(args: readonly string[], folder: string): Promise<OwnCommandEnd> {
  const { stdin, stdout } = process;
  const output = new CommandOutput();
  const decoder = new TextDecoder();
  const closed = Promise.withResolvers<void>();
  const child = Bun.spawn([...args], {
    cwd: folder,
    env: ownEnv(),
    terminal: {
      cols: stdout.columns,
      rows: stdout.rows,
      name: process.env["TERM"] ?? "xterm",
      data: (_, chunk) => {
        stdout.write(chunk);
        output.add(decoder.decode(chunk, { stream: true }));
      },
      exit: () => closed.resolve(),
    },
  });
  const typed = (chunk: Uint8Array | string): void => {
    child.terminal?.write(chunk);
  };
  const resized = (): void => child.terminal?.resize(stdout.columns, stdout.rows);
  stdin.setRawMode(true);
  stdin.on("data", typed).resume();
  stdout.on("resize", resized);
  try {
    const exitCode = await child.exited;
    const late = setTimeout(closed.resolve, closedTimeoutMs);
    await closed.promise;
    clearTimeout(late);
    return { exitCode, output: await output.text(process.env) };
  } finally {
    stdout.off("resize", resized);
    stdin.off("data", typed).pause();
    stdin.setRawMode(false);
    child.terminal?.close();
  }
}

/**
 * Returns the environment with only absolute folders in `PATH`, so that no name runs a program of the working folder.
 */
function ownEnv(): Record<string, string | undefined> {
  return { ...process.env, PATH: absoluteFolders(process.env["PATH"]) };
}

/**
 * Moves the cursor to the start of an empty row. From the first column, a row of spaces does not wrap, so the cursor
 * stays in its row; from any other column it wraps into the next one.
 */
function freshRow(columns: number): string {
  return `\u001B[0m${" ".repeat(columns)}\r\u001B[K`;
}

/** Limits of the kept output, in UTF-16 units. The end is kept, too, because errors are there. */
const maxHead = 16_384;
const maxTail = 49_152;

/** Matches the switch to the alternate screen, where programs draw: their output is not readable text. */
const alternateScreen = /\u001B\[\?(?:47|1047|1049)h/; // oxlint-disable-line no-control-regex -- matches the escape on purpose

export class CommandOutput {
  #head = "";
  #tail = "";
  #left = 0;
  #isScreen = false;

  add(text: string): void {
    this.#isScreen ||= alternateScreen.test(text);
    const room = Math.max(0, maxHead - this.#head.length);
    this.#head += text.slice(0, room);
    const tail = this.#tail + text.slice(room);
    this.#left += Math.max(0, tail.length - maxTail);
    this.#tail = tail.slice(-maxTail);
  }

  /**
   * Returns the output without escape sequences, keys of well-known formats and values of secret-looking variables of
   * `env`; `undefined` when the program used the alternate screen.
   */
  async text(env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
    if (this.#isScreen) return undefined;
    const left = this.#left === 0 ? "" : `\n[${this.#left.toLocaleString("en-US")} characters left out]\n`;
    const redactor = await Redactor.create({ secrets: secretsIn(env), patterns: [] });
    return redactor.redact(readable(`${this.#head}${left}${this.#tail}`));
  }
}

/** Removes escape sequences, and keeps the last text of lines that the program has overwritten. */
function readable(text: string): string {
  return stripVTControlCharacters(text)
    .toWellFormed()
    .replaceAll(/\r+\n/g, "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r") + 1).replaceAll(/[^\P{Cc}\t]/gu, ""))
    .join("\n")
    .trimEnd();
}

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i;

function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    secretName.test(name) && ignoredSecretReason(value) === undefined ? [value] : [],
  );
}
