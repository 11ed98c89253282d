import type { FileSystem, Clock, Spawn, SpawnResult } from "@incipit/kernel";

/** Larger output is of no use to a model. */
const maxOutputBytes = 1_048_576;

/** Each of these settings can run a program that the repository names; command-line settings take precedence. */
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
  // A partial clone fetches missing objects through a program of its remote; this list overrides its configuration.
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
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Disables all programs of the repository's configuration. */
export async function runGit(
  args: readonly string[],
  { spawn, cwd, timeoutMs, signal }: GitOptions,
  settings: readonly string[] = [],
): Promise<SpawnResult> {
  const given = [...harmlessSettings, ...settings].flatMap((setting) => ["-c", setting]);
  const all = ["--no-optional-locks", "--no-pager", ...given, ...args];
  return spawn.run("git", all, { cwd, env: environment, maxOutputBytes, timeoutMs, signal });
}
