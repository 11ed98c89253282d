import type { SimpleCommand } from "./shell-commands.ts";

/** A read-only command, with the options and arguments that keep it so. */
interface HarmlessCommand {
  /** Program, with its subcommand if any. */
  readonly begin: string;
  /** Why it is listed, and which options and arguments are excluded. */
  readonly why: string;
  /** Letters of allowed short options. */
  readonly short: string;
  /** Allowed long options, without dashes. Abbreviations do not match. */
  readonly long: string;
  /** Allowed single-dash words, as in `find`. */
  readonly words?: string;
  /** Limit of words without a dash. Defaults to no limit. */
  readonly maxArguments?: number;
  /** Required prefix of words without a dash. */
  readonly argumentsBegin?: string;
}

const diffLong =
  "stat shortstat numstat dirstat summary name-only name-status cached staged color no-color word-diff color-words unified patch no-patch raw minimal patience histogram diff-algorithm ignore-all-space ignore-space-change ignore-blank-lines ignore-space-at-eol check full-index abbrev find-renames no-renames diff-filter pickaxe-regex pickaxe-all relative no-ext-diff no-textconv exit-code quiet function-context merge-base no-prefix text inter-hunk-context";
const logLong = `${diffLong} oneline graph decorate no-decorate decorate-refs all branches tags remotes author committer grep all-match invert-grep regexp-ignore-case extended-regexp fixed-strings since after until before max-count skip merges no-merges first-parent follow pretty format date abbrev-commit reverse topo-order date-order author-date-order left-right cherry-pick cherry-mark simplify-by-decoration ancestry-path walk-reflogs notes no-notes source full-history`;

/**
 * Commands that prefix grants may cover. Excludes programs that run other programs, interpret a language, write
 * files or access the network, and options or arguments that make a listed program do so.
 */
export const harmlessCommands: readonly HarmlessCommand[] = [
  { begin: "arch", why: "prints the machine's kind", short: "", long: "", maxArguments: 0 },
  { begin: "b2sum", why: "hashes files", short: "bctlwz", long: "check length quiet status strict tag zero" },
  { begin: "base64", why: "prints files; -o of some systems writes", short: "dDw", long: "decode wrap" },
  { begin: "basename", why: "prints a part of a path", short: "asz", long: "multiple suffix zero" },
  {
    begin: "cat",
    why: "prints files",
    short: "AbeEnstTuv",
    long: "show-all number number-nonblank show-ends show-tabs show-nonprinting squeeze-blank",
  },
  { begin: "cksum", why: "hashes files", short: "abctwz", long: "algorithm check tag untagged" },
  {
    begin: "cmp",
    why: "compares files",
    short: "bilnsv",
    long: "print-bytes ignore-initial verbose bytes quiet silent",
  },
  { begin: "comm", why: "compares files", short: "i", long: "check-order nocheck-order total zero-terminated" },
  {
    begin: "cut",
    why: "prints parts of lines",
    short: "bcdfnsz",
    long: "bytes characters delimiter fields complement only-delimited output-delimiter zero-terminated",
  },
  {
    begin: "date",
    why: "prints the time; -s and an argument without + set it",
    short: "uIRd",
    long: "date utc universal iso-8601 rfc-3339 rfc-email reference",
    argumentsBegin: "+",
  },
  {
    begin: "df",
    why: "prints how full disks are",
    short: "ahHiklmPtTxg",
    long: "all human-readable inodes local total type",
  },
  {
    begin: "diff",
    why: "compares files; -l runs pr",
    short: "uqrNabBwiyscpEtTdUCHWxXLD",
    long: "brief unified context recursive new-file text ignore-case ignore-all-space ignore-space-change ignore-blank-lines side-by-side width exclude exclude-from label color report-identical-files suppress-common-lines minimal show-c-function strip-trailing-cr",
  },
  { begin: "dirname", why: "prints a part of a path", short: "z", long: "zero" },
  {
    begin: "du",
    why: "prints how large files are",
    short: "abcdDhHkLlmPsStxX",
    long: "all apparent-size bytes total max-depth human-readable summarize exclude threshold time one-file-system",
  },
  { begin: "echo", why: "prints its arguments", short: "neE", long: "" },
  { begin: "egrep", why: "prints lines of files", short: grepShort(), long: grepLong() },
  { begin: "expand", why: "prints files", short: "it", long: "initial tabs" },
  { begin: "false", why: "does nothing", short: "", long: "" },
  {
    begin: "fd",
    why: "prints paths; -x and -X run programs, -l runs ls",
    short: "HIugFapLdtesSE0i",
    long: "hidden no-ignore unrestricted glob fixed-strings absolute-path full-path follow max-depth min-depth exact-depth type extension size exclude print0 ignore-case case-sensitive color changed-within changed-before",
  },
  { begin: "fgrep", why: "prints lines of files", short: grepShort(), long: grepLong() },
  {
    begin: "file",
    why: "says what files are; -C writes a file, -z runs programs, -m reads rules that may be anybody's",
    short: "bhikLnNr0",
    long: "brief mime mime-type mime-encoding dereference no-dereference no-pad raw print0 extension keep-going",
  },
  {
    begin: "find",
    why: "prints paths; -exec, -ok, -delete, -fprint and their kind run programs, delete and write",
    short: "",
    long: "",
    words:
      "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerct -daystart -maxdepth -mindepth -depth -print -print0 -printf -ls -prune -quit -not -o -or -a -and -true -false -empty -user -group -nouser -nogroup -perm -links -inum -samefile -lname -ilname -readable -writable -executable -xdev -mount -follow -noleaf -H -L -P -E",
  },
  { begin: "fmt", why: "prints files", short: "cstuwp", long: "width split-only uniform-spacing" },
  { begin: "fold", why: "prints files", short: "bsw", long: "bytes spaces width" },
  {
    begin: "free",
    why: "prints how full the memory is",
    short: "bkmghltw",
    long: "bytes kibi mebi gibi human total wide",
  },
  {
    begin: "git blame",
    why: "prints who changed lines",
    short: "LlwtsfenMCpc",
    long: "porcelain line-porcelain show-name show-number show-email date abbrev reverse first-parent since ignore-rev color-lines",
  },
  {
    begin: "git branch",
    why: "lists branches; a name makes, moves or deletes one",
    short: "arv",
    long: "all remotes verbose list show-current merged no-merged contains no-contains points-at sort format color no-color column no-column ignore-case",
    maxArguments: 0,
  },
  {
    begin: "git cat-file",
    why: "prints objects; --textconv and --filters run configured programs",
    short: "ptse",
    long: "batch-check",
  },
  {
    begin: "git count-objects",
    why: "counts objects",
    short: "vH",
    long: "verbose human-readable",
    maxArguments: 0,
  },
  {
    begin: "git describe",
    why: "names a commit by its tags",
    short: "",
    long: "all tags contains abbrev candidates exact-match always long match exclude first-parent dirty broken",
  },
  {
    begin: "git diff",
    why: "prints changes; --output writes, --ext-diff runs a configured program",
    short: "pubwRzMCDSGUsWa",
    long: diffLong,
  },
  {
    begin: "git grep",
    why: "prints lines of files; -O runs a program",
    short: "invwIEFGPlLcohHpWABCea",
    long: "ignore-case line-number word-regexp extended-regexp fixed-strings perl-regexp basic-regexp files-with-matches files-without-match name-only count only-matching heading break show-function function-context context after-context before-context cached untracked no-index and or not all-match color no-color max-depth max-count column",
  },
  {
    begin: "git log",
    why: "prints commits; --output writes, --ext-diff and --show-signature run programs",
    short: "pubwzMCDSGUsnLigEFPmqra",
    long: logLong,
  },
  {
    begin: "git ls-files",
    why: "lists files",
    short: "cdmoiskuzxXtvf",
    long: "cached deleted modified others ignored stage unmerged killed exclude exclude-from exclude-standard error-unmatch full-name abbrev eol deduplicate directory no-empty-directory",
  },
  {
    begin: "git ls-tree",
    why: "lists files",
    short: "drtlz",
    long: "name-only name-status object-only full-name full-tree abbrev long format",
  },
  {
    begin: "git merge-base",
    why: "names a commit",
    short: "a",
    long: "all octopus independent is-ancestor fork-point",
  },
  {
    begin: "git remote",
    why: "lists remotes; an argument changes them or asks the network",
    short: "v",
    long: "verbose",
    maxArguments: 0,
  },
  {
    begin: "git rev-list",
    why: "lists commits",
    short: "nig",
    long: "all count max-count since after until before author grep merges no-merges first-parent reverse topo-order date-order objects left-right branches tags remotes oneline abbrev-commit",
  },
  {
    begin: "git rev-parse",
    why: "prints names of commits and folders",
    short: "q",
    long: "verify quiet short abbrev-ref symbolic symbolic-full-name show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository all branches tags remotes",
  },
  {
    begin: "git shortlog",
    why: "prints commits",
    short: "nsec",
    long: "numbered summary email since until author no-merges group",
  },
  {
    begin: "git show",
    why: "prints objects; --output writes, --ext-diff and --show-signature run programs",
    short: "pubwzMCDSGUsqma",
    long: logLong,
  },
  {
    begin: "git show-ref",
    why: "lists names of commits",
    short: "dsq",
    long: "head heads tags branches dereference hash abbrev quiet verify exists",
  },
  {
    begin: "git stash list",
    why: "lists stashes",
    short: "pn",
    long: "oneline stat patch format max-count",
    maxArguments: 0,
  },
  {
    begin: "git status",
    why: "prints what has changed",
    short: "sbvuz",
    long: "short branch show-stash porcelain long verbose untracked-files ignore-submodules ignored column no-column ahead-behind no-ahead-behind renames no-renames find-renames",
  },
  {
    begin: "git tag",
    why: "lists tags; a name makes one, -d deletes one, -v runs a program",
    short: "ln",
    long: "list sort format contains no-contains merged no-merged points-at column no-column color ignore-case",
    maxArguments: 0,
  },
  { begin: "git worktree list", why: "lists folders", short: "vz", long: "verbose porcelain", maxArguments: 0 },
  { begin: "grep", why: "prints lines of files", short: grepShort(), long: grepLong() },
  { begin: "groups", why: "prints who the user is", short: "", long: "" },
  {
    begin: "head",
    why: "prints the beginning of files",
    short: "cnqvz",
    long: "bytes lines quiet silent verbose zero-terminated",
  },
  { begin: "hexdump", why: "prints files", short: "bcCdoxnsv", long: "canonical length skip no-squeezing" },
  {
    begin: "hostname",
    why: "prints the machine's name; an argument and -F set it",
    short: "fiIsdA",
    long: "fqdn long short domain ip-address all-fqdns all-ip-addresses",
    maxArguments: 0,
  },
  { begin: "id", why: "prints who the user is", short: "ugGnrz", long: "user group groups name real zero" },
  {
    begin: "join",
    why: "joins lines of files",
    short: "aejoitvz",
    long: "check-order nocheck-order header ignore-case zero-terminated",
  },
  {
    begin: "jq",
    why: "prints parts of JSON; its language neither writes nor runs anything",
    short: "rcnSsjaeMCR",
    long: "raw-output raw-input compact-output null-input slurp sort-keys join-output ascii-output exit-status tab indent arg argjson args jsonargs color-output monochrome-output stream",
  },
  {
    begin: "ls",
    why: "lists files",
    short: "aAbBcCdDfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1",
    long: "all almost-all author escape ignore-backups color directory classify file-type format full-time group-directories-first human-readable si dereference hide indicator-style inode ignore kibibytes numeric-uid-gid literal hide-control-chars quote-name reverse recursive size sort time time-style width context zero no-group",
  },
  {
    begin: "md5sum",
    why: "hashes files",
    short: "bctwz",
    long: "binary check tag text zero quiet status strict ignore-missing",
  },
  {
    begin: "nl",
    why: "prints files",
    short: "bdfhilnpsvw",
    long: "body-numbering number-format number-width number-separator starting-line-number",
  },
  { begin: "nproc", why: "prints how many processors there are", short: "", long: "all ignore", maxArguments: 0 },
  {
    begin: "od",
    why: "prints files",
    short: "AabcdfijlNnoSstvwx",
    long: "address-radix skip-bytes read-bytes format output-duplicates width endian",
  },
  { begin: "paste", why: "joins lines of files", short: "dsz", long: "delimiters serial zero-terminated" },
  { begin: "printf", why: "prints its arguments; -v of some shells sets a variable", short: "", long: "" },
  {
    begin: "ps",
    why: "lists processes",
    short: "aAcdefFgGHjlLMnNopPqrstTuUvVwxXyZ",
    long: "pid ppid user format sort forest no-headers headers cols rows width",
  },
  { begin: "pwd", why: "prints the working folder", short: "LP", long: "logical physical", maxArguments: 0 },
  {
    begin: "readlink",
    why: "prints where links lead",
    short: "efmnqsvz",
    long: "canonicalize canonicalize-existing canonicalize-missing no-newline zero",
  },
  {
    begin: "realpath",
    why: "prints where links lead",
    short: "eEmLPqsz",
    long: "canonicalize-existing canonicalize-missing logical physical relative-to relative-base strip no-symlinks zero",
  },
  { begin: "rev", why: "prints files", short: "", long: "" },
  {
    begin: "rg",
    why: "prints lines of files; --pre, --hostname-bin and -z run programs",
    short: "abcefgFHhiIlLmMnNoPqrsStTuUvVwxABCjpd.0",
    long: "after-context before-context context case-sensitive ignore-case smart-case count count-matches column no-column color colors heading no-heading line-number no-line-number files files-with-matches files-without-match fixed-strings follow glob iglob hidden no-hidden no-ignore no-ignore-vcs invert-match json max-columns max-count max-depth max-filesize multiline multiline-dotall only-matching passthru pcre2 pretty quiet regexp replace sort sortr stats text trim type type-not type-list unrestricted vimgrep with-filename no-filename word-regexp line-regexp null no-config no-messages one-file-system threads",
  },
  { begin: "seq", why: "prints numbers", short: "fsw", long: "format separator equal-width" },
  {
    begin: "sha1sum",
    why: "hashes files",
    short: "bctwz",
    long: "binary check tag text zero quiet status strict ignore-missing",
  },
  {
    begin: "sha256sum",
    why: "hashes files",
    short: "bctwz",
    long: "binary check tag text zero quiet status strict ignore-missing",
  },
  {
    begin: "sha512sum",
    why: "hashes files",
    short: "bctwz",
    long: "binary check tag text zero quiet status strict ignore-missing",
  },
  { begin: "sleep", why: "waits, for as long as the call may take", short: "", long: "" },
  {
    begin: "sort",
    why: "prints lines in order; -o writes, -T names a folder to write in, --compress-program runs a program",
    short: "bcCdfghikmMnrRstuVz",
    long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort version-sort check key field-separator merge stable unique zero-terminated",
  },
  {
    begin: "stat",
    why: "prints what is known of files",
    short: "cfLtnqrsxF",
    long: "dereference file-system format printf terse",
  },
  {
    begin: "strings",
    why: "prints texts of files",
    short: "aenoftws",
    long: "all bytes encoding radix print-file-name include-all-whitespace output-separator",
  },
  { begin: "sum", why: "hashes files", short: "rs", long: "sysv" },
  { begin: "tac", why: "prints files", short: "brs", long: "before regex separator" },
  {
    begin: "tail",
    why: "prints the end of files; -f has no end",
    short: "cnqvzr",
    long: "bytes lines quiet silent verbose zero-terminated",
  },
  {
    begin: "tr",
    why: "prints its input with other letters",
    short: "cCdst",
    long: "complement delete squeeze-repeats truncate-set1",
  },
  {
    begin: "tree",
    why: "lists files; -o and -R write files",
    short: "adfilLpsughDFtcUrxNQqCnIPJX",
    long: "dirsfirst filesfirst noreport gitignore prune filelimit du si charset matchdirs ignore-case inodes device sort timefmt fromfile",
  },
  { begin: "true", why: "does nothing", short: "", long: "" },
  {
    begin: "uname",
    why: "prints the machine's kind",
    short: "asnrvmpio",
    long: "all kernel-name nodename kernel-release kernel-version machine processor operating-system",
    maxArguments: 0,
  },
  { begin: "unexpand", why: "prints files", short: "at", long: "all first-only tabs" },
  {
    begin: "uniq",
    why: "prints lines once; a second argument is a file that it writes",
    short: "cdDufiszw",
    long: "count repeated all-repeated unique ignore-case skip-fields skip-chars check-chars zero-terminated group",
    maxArguments: 1,
  },
  { begin: "uptime", why: "prints how long the machine runs", short: "ps", long: "pretty since", maxArguments: 0 },
  {
    begin: "wc",
    why: "counts lines and words",
    short: "clmwL",
    long: "bytes chars lines words max-line-length total",
  },
  { begin: "which", why: "prints where programs are", short: "as", long: "all" },
  { begin: "whoami", why: "prints who the user is", short: "", long: "", maxArguments: 0 },
  {
    begin: "xxd",
    why: "prints a file; a second argument is a file that it writes, -r writes into one",
    short: "abceEgilpsu",
    long: "",
    maxArguments: 1,
  },
];

function grepShort(): string {
  return "abcdDeEfFGhHiIlLmnoPqrRsTuUvwxyzABCZ";
}

function grepLong(): string {
  return "after-context before-context context count color colour extended-regexp fixed-strings perl-regexp basic-regexp regexp file files-with-matches files-without-match ignore-case no-ignore-case invert-match line-number line-regexp max-count no-filename with-filename no-messages null only-matching quiet silent recursive dereference-recursive text word-regexp include exclude exclude-dir exclude-from binary-files byte-offset label line-buffered initial-tab null-data";
}

/** Classification of a command. */
export type Harmless =
  | { readonly kind: "harmless"; readonly begin: string }
  /** The program has subcommands, but this one is not listed. */
  | { readonly kind: "no-subcommand"; readonly such: string }
  | { readonly kind: "not-listed" }
  /** `word` is not allowed for the command, or exceeds its number of arguments. */
  | { readonly kind: "word"; readonly begin: string; readonly word: string };

/** Classifies a command by all of its words. A program given by path or in another case does not match. */
export function harmlessCommand(words: SimpleCommand["words"]): Harmless {
  const [program] = words;
  const known = harmlessCommands.filter(({ begin }) => begin === program || begin.startsWith(`${program} `));
  const first = known.find(({ begin }) => begin === "git status") ?? known[0];
  if (first === undefined) return { kind: "not-listed" };
  const found = known.find(({ begin }) => begin.split(" ").every((word, index) => words[index] === word));
  if (found === undefined) return { kind: "no-subcommand", such: first.begin };
  const { begin } = found;
  const word = oddWord(found, words.slice(begin.split(" ").length));
  return word === undefined ? { kind: "harmless", begin } : { kind: "word", begin, word };
}

/**
 * Returns the first word that is not allowed. Conservative: each word with a dash counts as an option, also after
 * `--` or as an option's value, and each of its letters as a short option, so that no knowledge of options with
 * values is needed.
 */
function oddWord(command: HarmlessCommand, words: readonly string[]): string | undefined {
  const long = new Set(command.long.split(" "));
  const whole = new Set(command.words?.split(" "));
  const { maxArguments = Infinity, argumentsBegin = "" } = command;
  let count = 0;
  let isOver = false;
  for (const word of words) {
    if (command.begin.startsWith("git ") && runsSignatureProgram(word)) return word;
    // After an argument or `--`, some programs treat words with a dash as arguments.
    const isArgument = !word.startsWith("-") || word === "-" || (maxArguments < Infinity && (count > 0 || isOver));
    if (word === "--" && !isOver) isOver = true;
    else if (isArgument) {
      count += 1;
      if (count > maxArguments || !word.startsWith(argumentsBegin)) return word;
    } else if (word.startsWith("--")) {
      if (!long.has(word.slice(2).split("=")[0] ?? "")) return word;
    } else if (command.words !== undefined) {
      if (!whole.has(word) && !/^-\d+[a-zA-Z]?$/.test(word)) return word;
    } else if (/\p{L}/u.test(lettersLeft(word, command.short))) return word;
  }
  return undefined;
}

/** Signature placeholders run `gpg.program`; named formats come from the repository's configuration. */
function runsSignatureProgram(word: string): boolean {
  if (/%[-+ ]?G|%\(\*?signature/.test(word)) return true;
  const [, name] = /^--(?:pretty|format)=([^%]*)$/.exec(word) ?? [];
  return name !== undefined && !gitFormats.has(name.replace(/:.*$/s, ""));
}

const gitFormats: ReadonlySet<string> = new Set(
  "oneline short medium full fuller reference email raw mboxrd format tformat".split(" "),
);

/** Returns the letters that are not allowed short options. */
function lettersLeft(word: string, short: string): string {
  return Array.from(word.slice(1), (character) => (short.includes(character) ? "" : character)).join("");
}
