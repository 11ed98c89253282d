import { join } from "node:path";
import type { SpawnResult } from "@incipit/kernel";
import type { AbsentReason } from "@incipit/schema";
import { GitPlaceCheck, type GitPlace, type Refusal } from "./git-place.ts";
import { runGit, type GitOptions } from "./run-git.ts";
import { decodeText } from "./text-bytes.ts";
import { defineVariables } from "./define-variables.ts";
import type { Outcome } from "../types.ts";

interface Look {
  readonly result: SpawnResult;
  readonly check: GitPlaceCheck | undefined;
  /** Absent without a branch, or if unreadable. */
  readonly branch: string | undefined;
}

/**
 * Runs no program that the repository configures, and discloses nothing of a repository or folder that its files only
 * point to.
 */
export const gitVariables = defineVariables({
  type: "git",
  source: "git",
  open: ({ fs, spawn, clock, context: { cwd }, limits: { gitTimeoutMs: timeoutMs }, signal }) =>
    new GitOfFolder({ fs, spawn, clock, cwd, timeoutMs, signal }),
}).named({
  branch: {
    changes: "whenever the branch is switched",
    isAlwaysThere: false,
    read: (git) => git.readBranch(),
  },
  status: {
    changes: "whenever a file changes",
    isAlwaysThere: false,
    takesLongest: true, // Two sequential processes.
    read: (git) => git.readStatus(),
  },
});

/** The location is determined once for both variables. */
class GitOfFolder {
  readonly #options: GitOptions;
  #looked: Promise<Look> | undefined;

  constructor(options: GitOptions) {
    this.#options = options;
  }

  async readBranch(): Promise<Outcome> {
    const source = "git rev-parse --abbrev-ref HEAD";
    const { result, check, branch } = await this.#look();
    if (check === undefined) return noPlace(source, result);
    const refused = (await check.place) ?? (await check.branch);
    if (refused !== undefined) return { kind: "absent", ...refused, source };
    const value = branch === undefined || branch === "HEAD" ? ((await check.headName()) ?? branch) : branch;
    if (value === undefined) return outcomeOf(source, result);
    return { kind: "value", value, source, origin: { kind: "folder", path: check.top } };
  }

  /**
   * Without clean filters, which attributes could apply to changed files: the configured filters are listed and
   * disabled first. Submodules have their own unknown configuration, so only their commits are compared.
   */
  async readStatus(): Promise<Outcome> {
    const source = "git status --short";
    const { clock, timeoutMs } = this.#options;
    const startedAt = clock.now();
    const [{ result, check }, listed] = await Promise.all([
      this.#look(),
      runGit(["config", "--show-scope", "--null", "--get-regexp", listedKeys], this.#options),
    ]);
    if (check === undefined) return noPlace(source, result);
    const refused = await check.place; // Checked before the status, which may take long.
    if (refused !== undefined) return { kind: "absent", ...refused, source };
    if (listed.kind === "failed") return outcomeOf(source, listed);
    if (listed.exitCode > 1) return outcomeOf(source, listed); // 1: no matching setting.
    const settings = settingsAgainst(decodeText(listed.stdout));
    if (settings === undefined) return { kind: "absent", reason: "failed", source };

    const remainingMs = Math.max(1, timeoutMs - (clock.now() - startedAt));
    const [status, elsewhere] = await Promise.all([
      runGit(
        ["status", "--short", "--ignore-submodules=dirty"],
        { ...this.#options, timeoutMs: remainingMs },
        settings,
      ),
      check.status(),
    ]);
    if (elsewhere !== undefined) return { kind: "absent", ...elsewhere, source };
    const outcome = outcomeOf(source, status);
    return outcome.kind === "absent" ? outcome : { ...outcome, origin: { kind: "folder", path: check.top } };
  }

  #look(): Promise<Look> {
    return (this.#looked ??= (async () => {
      const asked = ["--absolute-git-dir", "--show-toplevel", "--is-inside-work-tree", "--abbrev-ref", "HEAD"];
      // Reads the files concurrently with git at the usual location.
      const { cwd } = this.#options;
      const guess = new GitPlaceCheck({ gitDir: join(cwd, ".git"), top: cwd, isInside: true }, this.#options);
      const result = await runGit(["rev-parse", ...asked], this.#options);
      const { place, branch } = parseLook(result);
      if (place === undefined) return { result, check: undefined, branch };
      return { result, check: guess.isFor(place) ? guess : new GitPlaceCheck(place, this.#options), branch };
    })());
  }
}

/** Parses git's output, one line per answer; rejects more lines, which a path with a line break could forge. */
function parseLook(result: SpawnResult): {
  readonly place: GitPlace | undefined;
  readonly branch: string | undefined;
} {
  const nothing = { place: undefined, branch: undefined };
  if (result.kind === "failed") return nothing;
  const [gitDir = "", top = "", inside, branch, end, ...rest] = decodeText(result.stdout)?.split("\n") ?? [];
  if (end !== "" || rest.length > 0 || (inside !== "true" && inside !== "false")) return nothing;
  return {
    place: { gitDir, top, isInside: inside === "true" },
    branch: result.exitCode === 0 ? branch : undefined,
  };
}

/** Settings that run a program, or name a file whose lines would affect the ignored files. */
const listedKeys = "^(filter[.]|core[.](excludesfile|attributesfile)$|include(if)?[.])";

/** Default locations of the user's own git files. */
const ownFiles: ReadonlyMap<string, string> = new Map([
  ["core.excludesfile", "~/.config/git/ignore"],
  ["core.attributesfile", "~/.config/git/attributes"],
]);

/**
 * Disables filters and the repository's settings, and restores the user's. `undefined` if a filter cannot be
 * disabled: `-c` splits a name at the first `=`, and only text can be passed.
 */
function settingsAgainst(listed: string | undefined): readonly string[] | undefined {
  if (listed === undefined) return undefined;
  const settings = new Set<string>();
  const users = new Map(ownFiles);
  const fields = listed.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const scope = fields[at] ?? "";
    const [key, value] = splitAt(fields[at + 1] ?? "", "\n");
    const isUsers = scope === "system" || scope === "global";
    if (users.has(key)) {
      if (isUsers) users.set(key, value);
      else settings.add(key);
    } else if (key.startsWith("filter.")) {
      // Includes the user's filters: git-lfs, for example, runs commands from the repository's settings.
      const filter = key.slice("filter.".length, Math.max("filter.".length, key.lastIndexOf(".")));
      if (filter.includes("=") || filter.includes("\n")) return undefined;
      for (const setting of filter === "" ? [] : ["clean=", "smudge=", "process=", "required=false"])
        settings.add(`filter.${filter}.${setting}`);
      // An included file may belong to another repository, whose upstream must not be disclosed.
    } else if (!isUsers) settings.add("status.branch=false");
  }
  return [...settings].map((setting) => (users.has(setting) ? `${setting}=${users.get(setting) ?? ""}` : setting));
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Returns why git found no repository: outside of one, or because its output cannot be read. */
function noPlace(source: string, result: SpawnResult): Outcome {
  return result.kind === "exited" && result.exitCode === 0
    ? { kind: "absent", reason: "failed", source, detail: "the path of the repository cannot be read" }
    : outcomeOf(source, result);
}

function outcomeOf(source: string, result: SpawnResult): Outcome {
  if (result.kind === "failed") return { kind: "absent", reason: absentReasons[result.reason], source };
  if (result.exitCode !== 0) {
    return { kind: "absent", ...refusalOf(new TextDecoder().decode(result.stderr)), source };
  }
  const text = decodeText(result.stdout);
  if (text === undefined) return { kind: "absent", reason: "not-text", source };
  return { kind: "value", value: text.endsWith("\n") ? text.slice(0, -1) : text, source };
}

/** Returns why git refused, from its English messages (`LC_ALL=C`). */
function refusalOf(stderr: string): Refusal | { readonly reason: AbsentReason } {
  if (stderr.includes("dubious ownership")) {
    const detail = "the repository belongs to another user of this machine; git's safe.directory allows it";
    return { reason: "denied", detail };
  }
  const isNone = stderr.includes("not a git repository") || stderr.includes("must be run in a work tree");
  return { reason: isNone ? "not-a-repository" : "failed" };
}

const absentReasons = {
  "not-installed": "not-installed",
  "cwd-not-found": "not-found",
  timeout: "timeout",
  "too-large": "too-large",
  aborted: "failed",
  failed: "failed",
} as const satisfies Record<Extract<SpawnResult, { kind: "failed" }>["reason"], AbsentReason>;
