/** Starts like a read-only command and does more. */
export interface CommandQuirk {
  readonly command: string;
  /** Without `:*`. */
  readonly begin: string;
  /** Reports of comparable programs, as `project#number`. */
  readonly sources: readonly string[];
}

const files = ["amd/gaia#2740", "KiroCrew#5038"];
const find = ["aki-mcp-sv#2", "aliyun/iac-code#88", "openai/codex#482"];
const others = ["amd/gaia#2768"];
const git = ["KiroCrew#5037", "amd/gaia#2768"];
const flags = ["Kilo-Org/kilocode#11890"];
const pagers = ["openai/codex#18694"];
const paths = ["openai/codex#28732"];

const rows: readonly (readonly [command: string, begin: string, sources: readonly string[]])[] = [
  ["uniq a b", "uniq", files],
  ["uniq -c a b", "uniq", files],
  ["uniq -- a b", "uniq", files],
  ["uniq - b", "uniq", files],
  ["sort -o a a", "sort", files],
  ["sort -oa a", "sort", files],
  ["sort -uo a a", "sort", files],
  ["sort --output=a a", "sort", files],
  ["sort --o a a", "sort", files],
  ["sort --compress-program=sh a", "sort", files],
  ["sort a -o b", "sort", files],
  ["find . -delete", "find", find],
  ["find . -exec touch x +", "find", find],
  ["find . -fprint x", "find", ["liamdarmody/rundock#320"]],
  ["find . -fprintf x %p", "find", ["liamdarmody/rundock#320"]],
  ["find . -execdir touch x +", "find", ["openai/codex#482"]],
  ["find . -ok rm {} ;", "find", ["openai/codex#482"]],
  ["find . -okdir rm {} ;", "find", ["openai/codex#482"]],
  ["find . -fls x", "find", ["openai/codex#482"]],
  ["find . -fprint0 x", "find", ["openai/codex#482"]],
  ["base64 -d -o x a", "base64", ["openai/codex#7728"]],
  ["./grep x a", "grep", paths],
  ["/usr/bin/grep x a", "grep", paths],
  ["sort -S 1b --compress-program sh a", "sort", flags],
  ["rg --pre=sh x", "rg", flags],
  ["rg --hostname-bin sh x", "rg", flags],
  ["man -Psh ls", "man", flags],
  ["fd . -x touch", "fd", ["aliyun/iac-code#88"]],
  ["rg --pre sh x", "rg", ["aliyun/iac-code#88"]],
  ["sed -i s/a/b/ a", "sed", ["aliyun/iac-code#88", "DeepSeek-Reasonix#4452"]],
  ["sed -n '1e touch x' a", "sed", ["aliyun/iac-code#88", "DeepSeek-Reasonix#4452"]],
  ["awk 'BEGIN{system(\"touch x\")}'", "awk", ["DeepSeek-Reasonix#4452"]],
  ["date -s 2030-01-01", "date", others],
  ["sysctl -w a=b", "sysctl", others],
  ["javac -version -d out a.java", "javac", ["KiroCrew#5037"]],
  ["git -c core.pager=sh log", "git log", git],
  ["git -c alias.log=!sh log", "git", git],
  ["git -p status", "git status", pagers],
  ["git --paginate show HEAD", "git show", pagers],
  ["git diff --output=a", "git diff", git],
  ["git log --output a", "git log", git],
  ["git show --ext-diff", "git show", git],
  ["git grep -Osh a", "git grep", git],
  ["git branch new", "git branch", git],
  ["git remote add a b", "git remote", git],
  ["xxd a b", "xxd", files],
  ["tree -o a", "tree", files],
  ["cat a > b", "cat", files],
  ["cat a | tee b", "cat", files],
  ["cat $(touch b)", "cat", files],
  ["PAGER=sh git log", "git log", git],
];

/** All were rejected before they were listed. */
export const commandQuirks: readonly CommandQuirk[] = rows.map(([command, begin, sources]) => ({
  command,
  begin,
  sources,
}));
