import type { Clock, Spawn, SpawnResult } from "@incipit/kernel";
import type { AbsentReason } from "@incipit/service-contract";
import { decodeText } from "./text-bytes.ts";
import type { Outcome } from "./types.ts";

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
  "status.submoduleSummary=false",
  "color.ui=false",
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
  readonly spawn: Pick<Spawn, "run">;
  readonly clock: Clock;
  readonly cwd: string;
  /** For all processes of one variable together. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** `git:branch` and `git:status`. Nothing that the repository configures is started: opening it runs nothing of its owner. */
export async function readGitVariable(name: string, options: GitOptions): Promise<Outcome> {
  switch (name) {
    case "branch":
      return outcomeOf(
        "git rev-parse --abbrev-ref HEAD",
        await runGit([], ["rev-parse", "--abbrev-ref", "HEAD"], options),
      );
    case "status":
      return readStatus(options);
    default:
      return { kind: "absent", reason: "not-found", source: "git" };
  }
}

/**
 * A status reads changed files through the clean filters that attributes name, so filters have to be known before it.
 * Submodules bring a configuration of their own, which cannot be known: of these, only the commit is looked at.
 */
async function readStatus(options: GitOptions): Promise<Outcome> {
  const source = "git status --short";
  const { clock, timeoutMs } = options;
  const startedAt = clock.now();
  const listArgs = ["config", "--show-scope", "--null", "--name-only", "--get-regexp", "^filter[.]"];
  const listed = await runGit([], listArgs, options);
  if (listed.kind === "failed") return outcomeOf(source, listed);
  if (listed.exitCode > 1) return outcomeOf(source, listed); // 1: no filter at all.
  const filters = foreignFilters(decodeText(listed.stdout));
  if (filters === undefined) return { kind: "absent", reason: "failed", source };

  const settings = [...filters].flatMap((filter) => [
    `filter.${filter}.clean=`,
    `filter.${filter}.smudge=`,
    `filter.${filter}.process=`,
    `filter.${filter}.required=false`,
  ]);
  const remainingMs = Math.max(1, timeoutMs - (clock.now() - startedAt));
  const statusArgs = ["status", "--short", "--ignore-submodules=dirty"];
  return outcomeOf(source, await runGit(settings, statusArgs, { ...options, timeoutMs: remainingMs }));
}

/**
 * Names of the filters that are not the user's own; `undefined` when one cannot be switched off: `-c` ends a name at the
 * first `=`, and what is not text cannot be handed over.
 */
function foreignFilters(listed: string | undefined): ReadonlySet<string> | undefined {
  if (listed === undefined) return undefined;
  const filters = new Set<string>();
  const fields = listed.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const scope = fields[at] ?? "";
    const key = fields[at + 1] ?? "";
    if (scope === "system" || scope === "global") continue;
    const filter = key.slice("filter.".length, Math.max("filter.".length, key.lastIndexOf(".")));
    if (filter.includes("=") || filter.includes("\n")) return undefined;
    if (filter !== "") filters.add(filter);
  }
  return filters;
}

async function runGit(
  settings: readonly string[],
  args: readonly string[],
  options: GitOptions,
): Promise<SpawnResult> {
  const { spawn, cwd, timeoutMs, signal } = options;
  const given = [...harmlessSettings, ...settings].flatMap((setting) => ["-c", setting]);
  const all = ["--no-optional-locks", "--no-pager", ...given, ...args];
  return spawn.run("git", all, { cwd, env: environment, maxOutputBytes, timeoutMs, signal });
}

function outcomeOf(source: string, result: SpawnResult): Outcome {
  if (result.kind === "failed") return { kind: "absent", reason: absentReasons[result.reason], source };
  if (result.exitCode !== 0) {
    const stderr = new TextDecoder().decode(result.stderr);
    const reason = stderr.includes("not a git repository") ? "not-a-repository" : "failed";
    return { kind: "absent", reason, source };
  }
  const text = decodeText(result.stdout);
  if (text === undefined) return { kind: "absent", reason: "not-text", source };
  return { kind: "value", value: text.endsWith("\n") ? text.slice(0, -1) : text, source };
}

const absentReasons = {
  "not-installed": "not-installed",
  "cwd-not-found": "not-found",
  timeout: "timeout",
  "too-large": "too-large",
  aborted: "failed",
  failed: "failed",
} as const satisfies Record<Extract<SpawnResult, { kind: "failed" }>["reason"], AbsentReason>;
