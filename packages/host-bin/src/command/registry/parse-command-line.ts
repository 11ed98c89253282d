import { nearestWord } from "@incipit/common/suggestion";
import { parseArgs } from "node:util";
import { everywhere, options } from "./options.ts";
import { commandNames, type Command, type ParsedArguments } from "./command.ts";
import { literalCount, missingPlace, placeAt, takes, type Candidate } from "./match-command.ts";
import { literalsOf, parseOption, type Option } from "./option.ts";
import { optionProblem } from "./option-problem.ts";
import { UsageError } from "./usage-error.ts";
import { flagProblem, wordsProblem } from "./usage-problem.ts";

export interface CommandLine {
  readonly command: Command;
  readonly words: readonly string[];
  readonly args: ParsedArguments;
}

export type ParsedLine =
  | (CommandLine & { readonly kind: "command" })
  | { readonly kind: "help"; readonly about: string | undefined }
  | { readonly kind: "version" };

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

const flags = Object.fromEntries(
  Object.values<Option>(options).map(({ flag, short, value, isMultiple = false }) => [
    flag,
    {
      type: value === undefined ? ("boolean" as const) : ("string" as const),
      multiple: isMultiple,
      ...(short === undefined ? {} : { short }),
    },
  ]),
);

/**
 * `isPiped`: standard input is a pipe, a socket or a file, and the question without arguments.
 * @throws {UsageError}
 */
export function parseCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
  { isAtTerminal = false, isPiped = false }: { readonly isAtTerminal?: boolean; readonly isPiped?: boolean } = {},
): ParsedLine {
  const { values, positionals } = parseFlags(argv);
  const [first, second] = positionals;
  if (first === "help") return { kind: "help", about: second };
  const name = nameOf(commands, positionals);
  if (values["help"] === true) return { kind: "help", about: name === "ask" ? undefined : name };
  if (values["version"] === true) return { kind: "version" };
  const chosen = name ?? ((values["repl"] ?? isAtTerminal) ? "chat" : isPiped ? "ask" : undefined);
  if (chosen === undefined)
    throw new UsageError(
      'Nothing to do: write a question, as in: incipit "What is new?"; or pipe one in; or "incipit --help"',
    );
  if (values["continue"] === true && values["conversation"] !== undefined)
    throw new UsageError('"--continue" and "-s" each name a conversation: leave one of them out');
  const given = { name: chosen, words: chosen === "ask" ? positionals : positionals.slice(1), values };
  const { command, words } = select(commands, given);
  const args = argumentsOf(command, values);
  if (args.systemMode !== undefined && args.system?.length === 0)
    throw new UsageError('"--system-mode" needs "--system", which is missing');
  return { kind: "command", command, words: wordsOf(command, words), args };
}

function parseFlags(argv: readonly string[]): { readonly values: Values; readonly positionals: readonly string[] } {
  try {
    const parsed = parseArgs({ args: argv.map(marked), options: flags, allowPositionals: true, strict: true });
    const values: Values = {};
    for (const [flag, value] of Object.entries(parsed.values))
      Object.assign(values, { [flag]: Array.isArray(value) ? value.map(unmarked) : unmarked(value) });
    return { values, positionals: parsed.positionals.map(unmarked) };
  } catch (error) {
    throw new UsageError(optionProblem(error, argv), { cause: error });
  }
}

const numberMark = "\0";

/** Keeps negative numbers, such as the id of a group, from being parsed as options. */
function marked(argument: string): string {
  return /^-\d/.test(argument) ? `${numberMark}${argument}` : argument;
}

function unmarked<Value>(argument: Value): Value | string {
  return typeof argument === "string" && argument.startsWith(numberMark) ? argument.slice(1) : argument;
}

/** The command that the first word names, or `ask`; `undefined` without words. */
function nameOf(commands: readonly Command[], [first, ...rest]: readonly string[]): string | undefined {
  const names = commandNames(commands);
  if (first === undefined || names.includes(first)) return first;
  if (first.trim() === "") throw new UsageError('The question is empty; write one, as in: incipit "What is new?"');
  const nearest = /^[a-z]{3,}$/.test(first) ? nearestWord(first, names) : undefined;
  const actions = commandsWithAction(commands, first);
  const meant = actions.length > 0 ? actions : [nearest ?? []].flat();
  if (meant.length > 0) {
    const otherwise = rest.length > 0 ? "a question goes in quotes" : 'a question of one word ends with "?"';
    const which = meant.map((name) => `"${name}"`).join(meant.length > 2 ? ", " : " or ");
    throw new UsageError(`There is no command "${first}"; did you mean ${which}? If not: ${otherwise}`);
  }
  if (rest.length > 0) throw new UsageError("One question at a time: put it in quotes");
  return "ask";
}

/** Returns the commands that have an action of this name: `conversations drift` for `drift`. */
function commandsWithAction(commands: readonly Command[], action: string): readonly string[] {
  const found = commands.filter(({ places: [place = ""] }) => literalsOf(place).includes(action));
  return [...new Set(found.map(({ name }) => `${name} ${action}`))];
}

interface Given {
  readonly name: string;
  readonly words: readonly string[];
  readonly values: Values;
}

function select(commands: readonly Command[], { name, words, values }: Given): Candidate {
  const candidates = commands
    .filter((command) => command.name === name)
    .map((command): Candidate => {
      const all = withSelectedId(command, words, values);
      const misfit = all.findIndex((word, index) => !takes(placeAt(command, index), word));
      return { command, words: all, fitting: misfit === -1 ? all.length : misfit };
    });
  const fitting = candidates
    .filter((one) => one.fitting === one.words.length)
    .toSorted((one, other) => literalCount(other) - literalCount(one));
  const whole = fitting.filter((one) => missingPlace(one) === undefined);
  const found =
    whole.find(({ command }) => strayFlag(command, values) === undefined) ??
    whole.find(({ command }) => isSelecting(values) === isSelectable(command)) ??
    whole[0];
  const [nearest] = fitting;
  if (found === undefined || nearest === undefined) throw new UsageError(wordsProblem(candidates));
  // `answer ID accept` lacks a value; "accept" is not a question.
  if (literalCount(nearest) > literalCount(found)) throw new UsageError(wordsProblem([nearest]));
  const stray = strayFlag(found.command, values);
  if (stray !== undefined) throw new UsageError(flagProblem(commands, found, stray));
  return found;
}

function isSelecting(values: Values): boolean {
  return values["continue"] === true || values["conversation"] !== undefined;
}

function isSelectable({ options: own }: Command): boolean {
  return own.includes("isContinued") || own.includes("conversation");
}

/** Puts the conversation that `-c` or `-s` selects in the place of the id. */
function withSelectedId(command: Command, words: readonly string[], values: Values): readonly string[] {
  const at = command.places.findIndex((place) => /^\[?ID/.test(place));
  if (at === -1) return words;
  const named = values["conversation"];
  if (values["continue"] === true && command.options.includes("isContinued")) return words.toSpliced(at, 0, "-c");
  if (typeof named === "string" && command.options.includes("conversation")) return words.toSpliced(at, 0, named);
  return words;
}

/** Returns the words of a call without the literal words of its usage. */
function wordsOf(command: Command, words: readonly string[]): readonly string[] {
  return words.filter((_, index) => /[A-Z|]/.test(placeAt(command, index) ?? ""));
}

function strayFlag(command: Command, values: Values): string | undefined {
  const known = new Set<string>([...command.options, ...everywhere].map((name) => options[name].flag));
  return Object.keys(values).find((flag) => !known.has(flag));
}

function argumentsOf(command: Command, values: Values): ParsedArguments {
  const args: ParsedArguments = {};
  for (const name of [...command.options, ...everywhere])
    Object.assign(args, { [name]: parseOption(options[name], values[options[name].flag]) });
  return args;
}
