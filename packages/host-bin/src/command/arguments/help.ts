import { nearestWord } from "@incipit/common/suggestion";
import { commands, commandWords, everywhere, options, type OptionName } from "./arguments.ts";
import { optionDescriptions, describeOption } from "./option-descriptions.ts";
import { commandsOf, firstPageUsages, usages, type Usage } from "./usages.ts";
import { wrapText } from "./wrap-text.ts";

export const exitCodes: readonly (readonly [code: number, words: string])[] = [
  [0, "done"],
  [1, "failed"],
  [2, "wrong usage"],
  [3, "done, but a tool was denied"],
  [4, "stopped by --max-steps or --max-cost"],
  [5, "the answer does not fit --schema"],
  [6, "the answer is cut off at the model's output limit"],
  [7, "the model's vendor refused to answer, or to go on"],
  [124, "stopped by --timeout"],
  [130, "interrupted"],
];

/** Below this width, descriptions go under the commands. */
const besideFrom = 72;
const wordsAt = 36;
const indent = 2;
const wordsBelowAt = 6;

export function hasHelp(command: string | undefined): boolean {
  return command === undefined || ["all", "help"].includes(command) || usagesOf(command).length > 0;
}

function usagesOf(command: string | undefined): readonly Usage[] {
  return usages.filter((usage) => command !== undefined && commandsOf(usage).includes(command));
}

export function helpOf(command: string | undefined, width: number): string {
  if (command === "all") return wholeHelp(width);
  const about = usagesOf(command);
  if (about.length === 0) return `${noSuchCommand(command, width)}${firstHelp(width)}`;
  const own = optionsOf(command ?? "").map((name) =>
    entry(optionUsage(name), describeOption(name, command), width),
  );
  return lines(
    ...about.map((usage) => usageText(usage, width)),
    "",
    ...own,
    ...(own.length === 0 ? [] : [""]),
    ...wrapText("incipit help all lists every command and option", width),
  );
}

function noSuchCommand(word: string | undefined, width: number): string {
  if (word === undefined || word === "help") return "";
  const nearest = nearestWord(word, commandWords);
  const meant = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  return lines(...wrapText(`There is no command "${word}"${meant}`, width), "");
}

const summary = "incipit: a host for AI agents that decides, shows and proves what they are told";

function firstHelp(width: number): string {
  const shown = usages.flatMap(([usage, words]): readonly Usage[] =>
    firstPageUsages.has(usage) ? [[usage, words.replaceAll(/ [[(]--[^\])]*[\])]/g, "")]] : [],
  );
  const named = new Set(shown.map(([usage]) => usage.split(" ", 1)[0]));
  const others = commandWords.filter((word) => !named.has(word)).toSorted();
  return lines(
    ...wrapText(summary, width),
    "",
    ...shown.map((usage) => usageText(usage, width)),
    "",
    ...wrapText(`Other commands: ${others.join(", ")}`, width),
    "",
    ...wrapText("incipit help COMMAND says what one does, and which options it takes", width),
    ...wrapText("incipit help all lists every command and option", width),
  );
}

export function optionsOf(command: string): readonly OptionName[] {
  if (command === "list") return ["status", "model", "cwd", "since", "limit", "no-pager"];
  const found = Object.entries(commands).find(([name]) => name === command);
  return found?.[1] ?? [];
}

function wholeHelp(width: number): string {
  const general: readonly OptionName[] = [...new Set([...commands.ask, ...everywhere])];
  const codes = exitCodes.map(([code, words]) => `${code} ${words}`).join("; ");
  return lines(
    ...wrapText(summary, width),
    "",
    ...usages.map((usage) => usageText(usage, width)),
    "",
    ...wrapText("With a question, and with every command:", width),
    "",
    ...general.map((name) => entry(optionUsage(name), optionDescriptions[name].words, width)),
    "",
    ...wrapText(`Exit codes: ${codes}.`, width),
  );
}

function lines(...parts: readonly string[]): string {
  return `${parts.join("\n")}\n`;
}

function usageText(usage: Usage, width: number): string {
  const [how, words] = usage;
  return entry(how.startsWith("git ") ? how : `incipit ${how}`, words, width);
}

export function optionUsage(name: OptionName): string {
  const { value } = optionDescriptions[name];
  const option = options[name];
  const short = "short" in option ? option.short : undefined;
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

function entry(how: string, words: string, width: number): string {
  if (width < besideFrom) {
    const head = hung(how, { at: indent, hang: wordsBelowAt, width });
    const below = wrapText(words, width - wordsBelowAt).map((line) => " ".repeat(wordsBelowAt) + line);
    return [...head, ...below].join("\n");
  }
  const told = wrapText(words, width - wordsAt);
  const left = " ".repeat(indent) + how;
  const isBeside = left.length < wordsAt - 1;
  const rest = (isBeside ? told.slice(1) : told).map((line) => " ".repeat(wordsAt) + line);
  const first = isBeside ? left.padEnd(wordsAt) + (told[0] ?? "") : left;
  return [first.trimEnd(), ...rest].join("\n");
}

function hung(
  text: string,
  { at, hang, width }: { readonly at: number; readonly hang: number; readonly width: number },
): readonly string[] {
  return wrapText(text, width - hang).map((line, index) => " ".repeat(index === 0 ? at : hang) + line);
}
