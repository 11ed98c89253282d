import { absoluteFolders } from "@incipit/common/system";
import { ignoredSecretReason, Redactor } from "@incipit/redaction";
import { stripVTControlCharacters } from "node:util";

interface OwnCommandOptions {
  readonly folder: string;
  /** Waits for Enter, since the next frame clears the screen. */
  readonly isWholeScreen: boolean;
}

interface OwnCommandEnd {
  readonly exitCode: number;
  /** `undefined`: it drew a screen, or output cannot be captured here. */
  readonly output: string | undefined;
}

/** Background processes keep the terminal open after the command. */
const closedTimeoutMs = 500;

/**
 * The command has the terminal until it ends.
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

/** In a pseudo-terminal, so that the output can be captured. */
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

/** Never resolves to a program in the working folder, except by path. */
function ownEnv(): Record<string, string | undefined> {
  return { ...process.env, PATH: absoluteFolders(process.env["PATH"]) };
}

/**
 * The spaces wrap unless they start in the first column, since terminals wrap on the character after the last column.
 */
function freshRow(columns: number): string {
  return `\u001B[0m${" ".repeat(columns)}\r\u001B[K`;
}

/** In UTF-16 units; the end, where errors are, is kept too. */
const maxHead = 16_384;
const maxTail = 49_152;

/** Programs on the alternate screen draw; their output is not readable text. */
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
   * Without escape sequences, keys of well-known formats and values of secret-looking variables of `env`; `undefined`
   * when the program used the alternate screen.
   */
  async text(env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
    if (this.#isScreen) return undefined;
    const left = this.#left === 0 ? "" : `\n[${this.#left.toLocaleString("en-US")} characters left out]\n`;
    const redactor = await Redactor.create({ secrets: secretsIn(env), patterns: [] });
    return redactor.redact(readable(`${this.#head}${left}${this.#tail}`));
  }
}

/** Resolves overwritten lines to their last text. */
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
