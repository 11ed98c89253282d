import { existsSync, statSync } from "node:fs";
import { extname, join } from "node:path";

export const launchWord = "--incipit-launch";
export const reportHandle = 3;
/** None may affect the launcher itself. */
export const childVariablePrefix = "INCIPIT_CHILD_";

export interface Program {
  /** Absolute path of the program, and its arguments. */
  readonly command: readonly [string, ...(readonly string[])];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ClosedPlace {
  /** Links resolved; `""` for nothing. */
  readonly path: string;
  /** Detects a replacement of the folder. */
  readonly identity: string;
}

export const nothingClosed: ClosedPlace = { path: "", identity: "" };

/** Returns device and inode of a folder; `""` if it does not exist. */
export function identityOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev}:${stat.ino}`;
}

export interface LaunchOptions {
  readonly closed: ClosedPlace;
  readonly mark?: number | undefined;
}

export function launched({ command, cwd, env }: Program, { closed, mark }: LaunchOptions): Program {
  const [file, ...args] = ownCommand();
  const variables = Object.entries(env).map(([name, value]) => [`${childVariablePrefix}${name}`, value] as const);
  return {
    command: [
      file,
      ...args,
      launchWord,
      String(process.pid),
      mark === undefined ? "" : String(mark),
      closed.path,
      closed.identity,
      cwd,
      ...command,
    ],
    cwd: "/", // The program's own folder may be untrusted.
    env: Object.fromEntries(variables),
  };
}

function ownCommand(): readonly [string, ...string[]] {
  const isBuilt = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(import.meta.path);
  if (isBuilt) return [process.execPath];
  const own = join(import.meta.dir, `../../launch${extname(import.meta.path)}`);
  // In a bundle the main program starts with the launcher.
  const entry = existsSync(own) ? own : Bun.main;
  return [process.execPath, "--no-env-file", "--config=/dev/null", entry];
}
