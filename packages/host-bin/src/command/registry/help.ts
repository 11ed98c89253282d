import { nearestWord } from "@incipit/common/suggestion";
import { everywhere, type OptionName, options } from "./options.ts";
import { type Command, commandNames } from "./command.ts";
import { askOptions } from "./ask-options.ts";
import type { Option } from "./option.ts";

export const summary = "incipit: a host for AI agents that controls, shows and verifies their prompts";

export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [1, "failed"],
  [2, "invalid command line"],
  [3, "done, but a tool call was denied"],
  [4, "stopped by --max-steps or --max-cost"],
  [5, "the answer does not fit --schema"],
  [6, "the answer reached the model's output limit"],
  [7, "the vendor refused to answer or to continue"],
  [124, "stopped by --timeout"],
  [130, "interrupted"],
];

/** Below this width, descriptions go under the commands. */
const besideFrom = 72;
const summaryAt = 36;
const indent = 2;
const summaryBelowAt = 6;

export function hasHelp(commands: readonly Command[], about: string | undefined): boolean {
  return about === undefined || ["all", "help", ...commandNames(commands)].includes(about);
}

export function helpOf(commands: readonly Command[], about: string | undefined, width: number): string {
  if (about === "all") return wholeHelp(commands, width);
  const own = commands.filter(({ name }) => name === about);
  if (own.length === 0 || about === undefined)
    return `${unknownCommand(commands, about, width)}${firstHelp(commands, width)}`;
  const ownOptions = optionsOf(commands, about).map((name) => optionEntry(name, width));
  return lines(
    ...own.flatMap((command) => usageEntries(commands, command, width)),
    "",
    ...ownOptions,
    ...(ownOptions.length === 0 ? [] : [""]),
    ...examplesOf(own).flatMap((example, index) => wrapText(`${index === 0 ? "Examples: " : ""}${example}`, width)),
    "",
    ...wrapText("incipit help all lists every command and option", width),
  );
}

/** Every option of a command's usages, once; two that share a flag have two lines. */
export function optionsOf(commands: readonly Command[], name: string): readonly OptionName[] {
  return [...new Set(commands.filter((command) => command.name === name).flatMap((command) => command.options))];
}

/** The options of a question and of every command. */
export const generalOptions: readonly OptionName[] = [...askOptions, ...everywhere];

export function optionUsage(name: OptionName): string {
  const { flag, short, value }: Option = options[name];
  return `${short === undefined ? "" : `-${short}, `}--${flag}${value === undefined ? "" : ` ${value}`}`;
}

/** The lines of a command, with the options that only some of its usages take. */
export function usagesOf(
  commands: readonly Command[],
  command: Command,
): readonly (readonly [usage: string, summary: string])[] {
  const { title, name, forms } = command;
  const isLong = command.options.length > 4;
  const others = commands.filter((other) => other.name === name);
  const own = command.options.filter(
    (option) => others.length > 1 && others.some((other) => !other.options.includes(option)),
  );
  const told = (isLong ? [] : own).filter((option) => option !== "isContinued" && option !== "cwdOfLast");
  const suffix = told.map((option) => ` [${shortUsage(option)}]`).join("");
  return [[title, `${command.summary}${suffix}`], ...forms];
}

function shortUsage(name: OptionName): string {
  const { flag, value }: Option = options[name];
  if (value === undefined) return `--${flag}`;
  return `--${flag} ${value.length > 30 ? flag.toUpperCase() : value}`;
}

function examplesOf(own: readonly Command[]): readonly string[] {
  return own.filter(({ title, examples }) => !examples.includes(title)).flatMap(({ examples }) => examples);
}

function unknownCommand(commands: readonly Command[], word: string | undefined, width: number): string {
  if (word === undefined || word === "help") return "";
  const nearest = nearestWord(word, commandNames(commands));
  const meant = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  return lines(...wrapText(`There is no command "${word}"${meant}`, width), "");
}

function firstHelp(commands: readonly Command[], width: number): string {
  const basic = commands.filter(({ isBasic }) => isBasic);
  const others = commandNames(commands)
    .filter((name) => basic.every((command) => command.name !== name))
    .toSorted();
  return lines(
    ...wrapText(summary, width),
    "",
    ...basic.flatMap(({ title, summary: text, forms }) =>
      [[title, text] as const, ...forms.slice(1)].map(([usage, what]) => entry(usage, what, width)),
    ),
    "",
    ...wrapText(`Other commands: ${others.join(", ")}`, width),
    "",
    ...wrapText("incipit help COMMAND describes a command and its options", width),
    ...wrapText("incipit help all lists every command and option", width),
  );
}

function wholeHelp(commands: readonly Command[], width: number): string {
  const codes = exitCodes.map(([code, meaning]) => `${code} ${meaning}`).join("; ");
  return lines(
    ...wrapText(summary, width),
    "",
    ...commands.flatMap((command) => usageEntries(commands, command, width)),
    "",
    ...wrapText("With a question, and with every command:", width),
    "",
    ...generalOptions.map((name) => optionEntry(name, width)),
    "",
    ...wrapText(`Exit codes: ${codes}.`, width),
  );
}

function lines(...parts: readonly string[]): string {
  return `${parts.join("\n")}\n`;
}

function usageEntries(commands: readonly Command[], command: Command, width: number): readonly string[] {
  return usagesOf(commands, command).map(([usage, what]) => entry(usage, what, width));
}

function optionEntry(name: OptionName, width: number): string {
  return entry(optionUsage(name), options[name].summary, width);
}

function entry(head: string, text: string, width: number): string {
  if (width < besideFrom) {
    const above = wrapText(head, width - summaryBelowAt);
    const below = wrapText(text, width - summaryBelowAt).map((line) => " ".repeat(summaryBelowAt) + line);
    return [...above.map((line, index) => " ".repeat(index === 0 ? indent : summaryBelowAt) + line), ...below].join(
      "\n",
    );
  }
  const wrapped = wrapText(text, width - summaryAt);
  const left = " ".repeat(indent) + head;
  const isBeside = left.length < summaryAt - 1;
  const rest = (isBeside ? wrapped.slice(1) : wrapped).map((line) => " ".repeat(summaryAt) + line);
  const first = isBeside ? left.padEnd(summaryAt) + (wrapped[0] ?? "") : left;
  return [first.trimEnd(), ...rest].join("\n");
}

/** Keeps bracketed parts, such as `[--model NAME]`, on one line where they fit. */
function wrapText(text: string, width: number): readonly string[] {
  const pieces = (text.match(/\[[^\]]*\]|\S+/g) ?? []).flatMap((piece) =>
    piece.length > width ? piece.split(" ") : [piece],
  );
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= width) lines[lines.length - 1] = `${last} ${piece}`;
    else lines.push(piece);
  }
  return lines;
}
