import { commands, everywhere, options, type OptionName } from "../arguments/arguments.ts";
import { optionsOf } from "../arguments/help.ts";
import { optionDescriptions, describeOption } from "../arguments/option-descriptions.ts";
import { commandsOf, usages } from "../arguments/usages.ts";

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

export function completed(words: readonly string[]): Completed {
  const current = words.at(-1) ?? "";
  const { positionals, open } = read(words.slice(0, -1));
  if (open !== undefined) return valuesOf(open, { before: "", current });
  const [, name, begun] = /^--([a-z0-9-]+)=(.*)$/.exec(current) ?? [];
  const given = optionNamed(name ?? "");
  if (given !== undefined && begun !== undefined) return valuesOf(given, { before: `--${given}=`, current });
  if (current.startsWith("-")) return these(optionCandidates(positionals[0]), current);
  const [command, ...rest] = positionals;
  if (command === undefined) return these(commandCandidates(), current);
  return argumentOf(command, rest, current);
}

function read(words: readonly string[]): {
  readonly positionals: readonly string[];
  readonly open: OptionName | undefined;
} {
  const positionals: string[] = [];
  let open: OptionName | undefined;
  for (const word of words) {
    if (open !== undefined) {
      open = undefined;
      continue;
    }
    const name = /^--([a-z0-9-]+)$/.exec(word)?.[1] ?? shortNamed(/^-([a-z])$/.exec(word)?.[1]);
    const option = optionNamed(name ?? "");
    if (option !== undefined) open = optionDescriptions[option].value === undefined ? undefined : option;
    else if (!word.startsWith("-")) positionals.push(word);
  }
  return { positionals, open };
}

function optionNamed(name: string): OptionName | undefined {
  return optionNames.find((option) => option === name);
}

const isOptionName = (name: string): name is OptionName => Object.hasOwn(options, name);
const optionNames: readonly OptionName[] = Object.keys(options).filter(isOptionName);

function shortNamed(letter: string | undefined): OptionName | undefined {
  return letter === undefined ? undefined : optionNames.find((name) => shortOf(name) === letter);
}

function shortOf(name: OptionName): string | undefined {
  const option = options[name];
  return "short" in option ? option.short : undefined;
}

function optionCandidates(command: string | undefined): readonly Candidate[] {
  const own = command === undefined ? commands.ask : optionsOf(command);
  return [...new Set<OptionName>([...own, ...everywhere])].map((name) => ({
    value: `--${name}`,
    words: describeOption(name, command),
  }));
}

function commandCandidates(): readonly Candidate[] {
  const found = new Map<string, string>();
  for (const usage of usages)
    for (const command of commandsOf(usage)) {
      const isOwn = usage[0].split(" ")[0]?.split("|").includes(command) ?? false;
      if (isOwn && !found.has(command)) found.set(command, withoutOptions(usage[1]));
    }
  return [...found].map(([value, words]) => ({ value, words }));
}

function argumentOf(command: string, before: readonly string[], current: string): Completed {
  const found = new Map<string, string>();
  let kind: ValueKind | undefined;
  for (const [usage, words] of usages) {
    const [first = "", ...places] = usage.split(" ");
    if (!first.split("|").includes(command)) continue;
    for (const place of placesBehind(places, before)) {
      const alternatives = place.replaceAll(/[[\]]/g, "").split("|");
      // A usage describes its action, not the values of its alternatives.
      const told = before.length === 0 && !/^\[.*\|/.test(place) ? withoutOptions(words) : "";
      for (const alternative of alternatives)
        if (!/^[a-z]/.test(alternative)) kind ??= kindOf(alternative, command);
        else if (!found.has(alternative)) found.set(alternative, told);
    }
  }
  const candidates = [...found]
    .filter(([value]) => value.startsWith(current))
    .map(([value, words]) => ({ value, words }));
  return kind === undefined ? { kind: "these", candidates } : { kind: "values", of: kind, before: "", candidates };
}

/** Bracketed places are optional; `…` repeats the previous one. */
function placesBehind(places: readonly string[], before: readonly string[]): readonly string[] {
  let reached = new Set([0]);
  for (const word of before) {
    const next = new Set<number>();
    for (const at of skipping(places, reached)) {
      const place = places[at];
      if (place === "…") next.add(at);
      else if (place !== undefined && takes(place, word)) next.add(at + 1);
    }
    reached = next;
  }
  return skipping(places, reached).flatMap((at) => {
    const place = places[at] === "…" ? places[at - 1] : places[at];
    return place === undefined ? [] : [place];
  });
}

function skipping(places: readonly string[], reached: ReadonlySet<number>): readonly number[] {
  const all = new Set(reached);
  for (const at of all) {
    const place = places[at];
    if (place !== undefined && (place.startsWith("[") || place === "…")) all.add(at + 1);
  }
  return [...all];
}

function takes(place: string, word: string): boolean {
  return place
    .replaceAll(/[[\]]/g, "")
    .split("|")
    .some((alternative) => alternative === word || /^[A-Z]/.test(alternative));
}

const withConversations: ReadonlySet<string> = new Set([
  "approve",
  "audit",
  "compact",
  "conversations",
  "follow",
  "queue",
  "record",
  "redo",
  "stop",
  "undo",
]);

function kindOf(placeholder: string, command: string): ValueKind | undefined {
  if (placeholder === "ID" && withConversations.has(command)) return "conversation";
  if (placeholder === "ID" && command === "extensions") return "extension";
  if (placeholder === "NAME" && command === "agents") return "agent";
  return general.get(placeholder);
}

const general: ReadonlyMap<string, ValueKind> = new Map([
  ["AGENT", "agent"],
  ["DIR", "folder"],
  ["FILE", "file"],
  ["FOLDER", "folder"],
  ["PATH", "file"],
  ["PROVIDER/MODEL", "model"],
]);

function valuesOf(
  option: OptionName,
  { before, current }: { readonly before: string; readonly current: string },
): Completed {
  const { value = "" } = optionDescriptions[option];
  if (option === "conversation") return { kind: "values", of: "conversation", before, candidates: [] };
  const kind = general.get(value);
  if (kind !== undefined) return { kind: "values", of: kind, before, candidates: [] };
  const literal = value.split("|").filter((alternative) => /^[a-z]/.test(alternative));
  return these(
    literal.map((alternative) => ({ value: before + alternative, words: "" })),
    current,
  );
}

function these(candidates: readonly Candidate[], current: string): Completed {
  return { kind: "these", candidates: candidates.filter(({ value }) => value.startsWith(current)) };
}

function withoutOptions(words: string): string {
  return words.replaceAll(/ ?\[[^\]]*\]/g, "");
}
