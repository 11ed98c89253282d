/** Options by which a program starts another one, or writes a file that they name. */
interface RunningOptions {
  /** Long ones, without their dashes: also what one of them may be shortened to. */
  readonly long: readonly string[];
  /** Letters of short ones, also among others. */
  readonly short?: string;
  /** Single words that do so, wherever they stand. */
  readonly words?: readonly string[];
}

/** Names of long options, whichever program has them. */
const anywhere: readonly string[] = `
  exec execute exec-batch ext-diff extcmd upload-pack receive-pack open-files-in-pager pager editor config config-env command
  use-compress-program compress-program to-command checkpoint-action info-script new-volume-script rsh rsh-command
  rmt-command rsync-path output output-file out pre hostname-bin toolexec script-shell call shell sendmail-cmd
  post-file unzip-command plugin require import preload loader init-file rcfile
`
  .trim()
  .split(/\s+/);

const programs: ReadonlyMap<string, RunningOptions> = new Map<string, RunningOptions>([
  ["find", { long: ["exec", "execdir", "ok", "okdir", "delete", "fprint", "fprint0", "fprintf", "fls"] }],
  ["fd", { long: [], short: "xX" }],
  ["fdfind", { long: [], short: "xX" }],
  ["tar", { long: [], short: "IF" }],
  ["bsdtar", { long: [], short: "IF" }],
  ["sort", { long: [], short: "oT" }],
  ["tree", { long: [], short: "oR" }],
  ["rsync", { long: ["daemon"], short: "e" }],
  ["sftp", { long: [], short: "SoF" }],
  ["scp", { long: [], short: "SoF" }],
  ["curl", { long: ["remote-name", "dump-header", "cookie-jar", "upload-file"], short: "oOKDcT" }],
  ["wget", { long: ["use-askpass", "append-output"], short: "eOoa" }],
  ["zip", { long: ["test"], short: "T" }],
  ["man", { long: ["html"], short: "PH" }],
  ["less", { long: ["log-file"], short: "oO", words: ["!", "+"] }],
  ["date", { long: ["set"], short: "s" }],
  ["yq", { long: ["inplace"], short: "i" }],
  ["go", { long: ["exec", "toolexec", "vettool", "overlay", "modfile"] }],
]);

const git: ReadonlyMap<string, RunningOptions> = new Map<string, RunningOptions>([
  ["bisect", { long: [], words: ["run"] }],
  ["clone", { long: ["template"], short: "cu" }],
  ["difftool", { long: ["tool"], short: "xt" }],
  ["format-patch", { long: ["output-directory"], short: "o" }],
  ["archive", { long: [], short: "o" }],
  ["grep", { long: [], short: "O" }],
  ["rebase", { long: [], short: "xs" }],
  ["submodule", { long: [], words: ["foreach"] }],
]);
/** What "git", without a word behind it, was not said of. */
const gitRunners = new Set(
  "config filter-branch filter-repo difftool mergetool daemon instaweb send-email web--browse for-each-repo hook".split(
    " ",
  ),
);
/** Before its own word. */
const gitBefore = new Set(["-c", "-C", "-p", "--paginate", "--git-dir", "--work-tree", "--namespace"]);

/**
 * Whether a command has words behind those that it has to begin with by which it does something of another kind: such a command
 * is not what "begins with" was said of. Rather too many than too few: they are asked about.
 */
export function runsMore(words: readonly string[], { from }: { readonly from: number }): boolean {
  const [program = ""] = words;
  const name = program.slice(program.lastIndexOf("/") + 1);
  const more = words.slice(from);
  const at = name === "git" ? words.findIndex((word, index) => index > 0 && !word.startsWith("-")) : -1;
  if (name === "git" && more.some((word, index) => isBeforeGit(word, from + index, at))) return true;
  if (at >= from && gitRunners.has(words[at] ?? "")) return true;
  const own = name === "git" ? git.get(words[at] ?? "") : programs.get(name);
  return more.some((word) => isRunning(word, own));
}

function isBeforeGit(word: string, index: number, subcommandAt: number): boolean {
  const option = word.split("=")[0] ?? "";
  return (subcommandAt === -1 || index < subcommandAt) && (gitBefore.has(option) || /^-[cC]./.test(word));
}

function isRunning(word: string, own: RunningOptions | undefined): boolean {
  if (own?.words?.some((running) => word.startsWith(running)) === true) return true;
  if (!word.startsWith("-") || word === "-" || word === "--") return false;
  const long = /^--?([\w-]+)/.exec(word)?.[1]?.toLowerCase() ?? "";
  const names = [...anywhere, ...(own?.long ?? [])];
  // Most programs take the beginning of a long option for it.
  const isLong = word.startsWith("--") ? names.some((name) => name.startsWith(long)) : names.includes(long);
  if (isLong) return true;
  const letters = /^-([a-z\d]+)/i.exec(word)?.[1] ?? "";
  return (own?.short ?? "").split("").some((letter) => letters.includes(letter));
}
