import { commandNames, type Command } from "../registry/command.ts";
import { everywhere, options, type OptionName } from "../registry/options.ts";
import { optionsOf } from "../registry/help.ts";
import { literalsOf, type Option } from "../registry/option.ts";
import { placeAt, takes } from "../registry/match-command.ts";

/** The shell completes files and folders; the host provides the rest. */
export type ValueKind = "agent" | "conversation" | "extension" | "file" | "folder" | "model";

export interface Candidate {
  readonly value: string;
  /** Empty: the value needs no description. */
  readonly words: string;
}

export type Completed =
  | { readonly kind: "these"; readonly candidates: readonly Candidate[] }
  | {
      readonly kind: "values";
      readonly of: ValueKind;
      readonly before: string;
      readonly candidates: readonly Candidate[];
    };

export function completed(commands: readonly Command[], words: readonly string[]): Completed {
  const current = words.at(-1) ?? "";
  const { positionals, open } = read(words.slice(0, -1));
  if (open !== undefined) return valuesOf(open, { before: "", current });
  const [, name, begun] = /^--([a-z0-9-]+)=(.*)$/.exec(current) ?? [];
  const given = known.find(({ flag }) => flag === name);
  if (given !== undefined && begun !== undefined) return valuesOf(given, { before: `--${given.flag}=`, current });
  const [command, ...rest] = positionals;
  if (current.startsWith("-")) return these(optionCandidates(commands, command), current);
  const named = commands.filter(({ name }) => name === command);
  return command === undefined ? these(nameCandidates(commands), current) : argumentOf(named, rest, current);
}

const known: readonly Option[] = Object.values(options);

function read(words: readonly string[]): {
  readonly positionals: readonly string[];
  readonly open: Option | undefined;
} {
  const positionals: string[] = [];
  let open: Option | undefined;
  for (const word of words) {
    if (open !== undefined) {
      open = undefined;
      continue;
    }
    const option = known.find(({ flag, short }) => word === `--${flag}` || word === `-${short}`);
    if (option?.value !== undefined) open = option;
    else if (!word.startsWith("-")) positionals.push(word);
  }
  return { positionals, open };
}

function optionCandidates(commands: readonly Command[], command = "ask"): readonly Candidate[] {
  const names: readonly OptionName[] = [...optionsOf(commands, command), ...everywhere];
  const found = new Map(names.map((name) => [`--${options[name].flag}`, options[name].summary]));
  return [...found].map(([value, words]) => ({ value, words }));
}

function nameCandidates(commands: readonly Command[]): readonly Candidate[] {
  return commandNames(commands).map((value) => ({
    value,
    words: commands.find(({ name }) => name === value)?.summary ?? "",
  }));
}

function argumentOf(named: readonly Command[], before: readonly string[], current: string): Completed {
  const found = new Map<string, string>();
  let kind: ValueKind | undefined;
  for (const command of named) {
    const place = placeAt(command, before.length);
    if (place === undefined || !before.every((word, index) => takes(placeAt(command, index), word))) continue;
    // A summary describes the action, not the alternatives of an optional place.
    const words = before.length === 0 && !/^\[.*\|/.test(place) ? command.summary : "";
    for (const alternative of place.replaceAll(/[[\]…]/g, "").split("|"))
      if (!/^[a-z]/.test(alternative)) kind ??= kinds.get(alternative);
      else if (!found.has(alternative)) found.set(alternative, words);
  }
  const candidates = [...found]
    .filter(([value]) => value.startsWith(current))
    .map(([value, words]) => ({ value, words }));
  return kind === undefined ? { kind: "these", candidates } : { kind: "values", of: kind, before: "", candidates };
}

const kinds: ReadonlyMap<string, ValueKind> = new Map([
  ["AGENT", "agent"],
  ["DIR", "folder"],
  ["EXTENSION", "extension"],
  ["FILE", "file"],
  ["FOLDER", "folder"],
  ["ID", "conversation"],
  ["PATH", "file"],
  ["PROVIDER/MODEL", "model"],
]);

function valuesOf(
  { value = "" }: Option,
  { before, current }: { readonly before: string; readonly current: string },
): Completed {
  const kind = kinds.get(value);
  if (kind !== undefined) return { kind: "values", of: kind, before, candidates: [] };
  return these(
    literalsOf(value).map((alternative) => ({ value: before + alternative, words: "" })),
    current,
  );
}

function these(candidates: readonly Candidate[], current: string): Completed {
  return { kind: "these", candidates: candidates.filter(({ value }) => value.startsWith(current)) };
}
