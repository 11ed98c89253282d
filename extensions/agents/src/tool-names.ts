/** `undefined`: no equivalent. From https://code.claude.com/docs/en/settings#tools-available-to-claude. */
const otherNames: ReadonlyMap<string, string | undefined> = new Map([
  ["Read", "read_file"],
  ["Write", "write_file"],
  ["Edit", "edit_file"],
  ["MultiEdit", "edit_file"],
  ["Bash", "shell"],
  ["Grep", "search"],
  ["LS", "list_folder"],
  ["Glob", "find_files"],
  ...[
    "Agent",
    "AskUserQuestion",
    "BashOutput",
    "ExitPlanMode",
    "KillShell",
    "NotebookEdit",
    "NotebookRead",
    "Skill",
    "SlashCommand",
    "Task",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
  ].map((name) => [name, undefined] as const),
]);

const serverPrefix = "mcp__";
const nameOrBeginning = /^(?:[a-zA-Z0-9_-]{1,64}|[a-zA-Z0-9_-]{0,63}\*)$/;

export type ToolName =
  | { readonly kind: "tool"; readonly name: string }
  | { readonly kind: "none" }
  /** Restricted to some calls, such as `Bash(git:*)`; the host only knows whole tools. */
  | { readonly kind: "part"; readonly name: string }
  | { readonly kind: "no-name" };

export function toolNamed(written: string): ToolName {
  const [, whole, part] = /^([^()]+)(\(.*\))?$/s.exec(written.trim()) ?? [];
  if (whole === undefined) return { kind: "no-name" };
  const isOther = otherNames.has(whole);
  const own = otherNames.get(whole);
  if (isOther && own === undefined) return { kind: "none" };
  const name = own ?? (whole.startsWith(serverPrefix) ? ofServer(whole) : whole);
  if (!nameOrBeginning.test(name)) return { kind: "no-name" };
  return { kind: part === undefined ? "tool" : "part", name };
}

/** Maps `mcp__github__list` to `github__list`, and `mcp__github` to everything that begins with `github__`. */
function ofServer(name: string): string {
  const rest = name.slice(serverPrefix.length);
  return rest.includes("__") ? rest : `${rest}__*`;
}
