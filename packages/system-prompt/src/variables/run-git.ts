import type { FileSystem, Clock, Spawn, SpawnResult } from "@incipit/kernel";

/** A status of more than this is of no use to a model. */
const maxOutputBytes = 1_048_576;

/** Each of these can start a program that the repository names; a setting given here wins over the repository's. */
const harmlessSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.untrackedCache=false",
  "core.sshCommand=false",
  "core.askPass=",
  "core.pager=cat",
  "diff.external=",
  "credential.helper=",
  "protocol.allow=never",
  "submodule.recurse=false",
  "color.status=false",
];

const environment = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  // A partial clone fetches what is missing, through whatever program its remote names; this list wins over its config.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PROTOCOL_FROM_USER: "0",
  LC_ALL: "C",
};

export interface GitOptions {
  readonly fs: Pick<FileSystem, "readFile">;
  readonly spawn: Pick<Spawn, "run">;
  readonly clock: Clock;
  readonly cwd: string;
  /** For all processes of one variable together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Git in the working folder, with nothing that the repository configures started. `settings`: beyond those. */
export async function runGit(
  args: readonly string[],
  { spawn, cwd, timeoutMs, signal }: GitOptions,
  settings: readonly string[] = [],
): Promise<SpawnResult> {
  const given = [...harmlessSettings, ...settings].flatMap((setting) => ["-c", setting]);
  const all = ["--no-optional-locks", "--no-pager", ...given, ...args];
  return spawn.run("git", all, { cwd, env: environment, maxOutputBytes, timeoutMs, signal });
}
