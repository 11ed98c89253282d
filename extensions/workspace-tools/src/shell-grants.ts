import {
  escapeBlanks,
  escapeHidden,
  harmlessCommand,
  prefixOf,
  shellCommands,
  type SimpleCommand,
} from "@incipit/schema";
import type { ToolScope } from "@incipit/service-contract";

const maxPrograms = 100;

/** Longer commands get no permanent approval: users would not read them before they answer. */
const maxScopeLength = 4_096;

/**
 * Empty when any part is not understood or not allowed. After a pipe, exact patterns do not apply: input makes a
 * program such as `sh` do more than its words.
 */
export function grantedShell(command: string, patterns: readonly string[]): readonly string[] {
  if (patterns.includes(command)) return [command];
  const read = shellCommands(command.trim());
  if (read.kind === "unknown" || read.commands.length > maxPrograms) return [];
  const known = patterns.flatMap(toBegin);
  const by = read.commands.map((simple) => known.find((begin) => fits(simple, begin))?.pattern);
  const found = by.filter((pattern) => pattern !== undefined);
  return found.length === by.length ? [...new Set(found)] : [];
}

interface Begin {
  readonly pattern: string;
  readonly words: readonly string[];
  readonly isOpen: boolean;
}

/** Empty for a pattern that is not a single program: it matches only the identical text. */
function toBegin(pattern: string): readonly Begin[] {
  const prefix = prefixOf(pattern);
  const read = shellCommands((prefix ?? pattern).trim());
  if (read.kind === "unknown" || read.commands.length !== 1) return [];
  return [{ pattern, words: read.commands[0].words, isOpen: prefix !== undefined }];
}

function fits({ words, after }: SimpleCommand, { words: begin, isOpen }: Begin): boolean {
  if (after === "|" && !isOpen) return false;
  if (!begin.every((word, index) => words[index] === word)) return false;
  return isOpen ? harmlessCommand(words).kind === "harmless" : words.length === begin.length;
}

/** Returns what "always" may cover: the command itself, or the prefixes of its programs. */
export function shellScopes(command: string): readonly ToolScope[] {
  if (command.length > maxScopeLength || prefixOf(command) !== undefined) return [];
  const exact = {
    id: "exact",
    label: "this command",
    covers: "this command, exactly as it is",
    patterns: [command],
  };
  const read = shellCommands(command.trim());
  if (read.kind === "unknown") return [exact];
  const begins = [...new Set(read.commands.map(beginOf))];
  const patterns = begins.flatMap((begin) => (begin === undefined ? [] : [`${begin}:*`]));
  if (patterns.length !== begins.length || grantedShell(command, patterns).length === 0) return [exact];
  const named = begins.map((begin) => JSON.stringify(begin)).join(" or ");
  const covers = `commands that begin with ${named} and only read`;
  return [exact, { id: "prefix", label: "commands that begin so", covers, patterns }];
}

/** `undefined` unless the program is known to be harmless with these options. */
function beginOf({ words }: SimpleCommand): string | undefined {
  const judged = harmlessCommand(words);
  return judged.kind === "harmless" ? judged.begin : undefined;
}

export function shellPreview(command: string, cwd: string): string {
  const read = shellCommands(command.trim());
  const lines =
    read.kind === "unknown"
      ? [command, `(The host cannot tell its parts apart: it ${read.why})`]
      : read.commands.map(({ after, text }) => `${after === "" ? "" : `${after} `}${text}`);
  return escapeHidden(escapeBlanks([`In ${cwd}:`, ...lines].join("\n")));
}
