import { existsSync, statSync } from "node:fs";
import { extname, join } from "node:path";

/** The first argument of an `incipit` that is to become another program. */
export const launchWord = "--incipit-launch";
/** Where it says why it did not: closed without a word once the program runs. */
export const reportHandle = 3;
/** The program's variables come under other names: none of them is to change what happens before it runs. */
export const childVariablePrefix = "INCIPIT_CHILD_";

export interface Program {
  /** Absolute path of the program, and what it is given. */
  readonly command: readonly [string, ...(readonly string[])];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a program is kept from. */
export interface ClosedPlace {
  /** Absolute, links resolved; `""`: nothing. */
  readonly path: string;
  /** `identityOf` the folder: another one may stand there by now. */
  readonly identity: string;
}

export const nothingClosed: ClosedPlace = { path: "", identity: "" };

/** Tells which folder it is; `""`: there is none. */
export function identityOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.dev}:${stat.ino}`;
}

export interface LaunchOptions {
  readonly closed: ClosedPlace;
  /** By which somebody knows what to end when the host is killed (`keeper.ts`); absent: nobody does. */
  readonly mark?: number | undefined;
}

/** What starts a program out of reach of a folder: this same program, which becomes that one. */
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
    cwd: "/", // It has no business in a folder that may be a stranger's.
    env: Object.fromEntries(variables),
  };
}

function ownCommand(): readonly [string, ...string[]] {
  const isBuilt = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(import.meta.path);
  if (isBuilt) return [process.execPath];
  const own = join(import.meta.dir, `../../launch${extname(import.meta.path)}`);
  // In a bundle this file is none of its own, and the program itself begins with that one.
  const entry = existsSync(own) ? own : Bun.main;
  return [process.execPath, "--no-env-file", "--config=/dev/null", entry];
}
