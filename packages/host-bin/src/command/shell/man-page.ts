import { commands, everywhere, type OptionName } from "../arguments/arguments.ts";
import { exitCodes, optionUsage, optionsOf } from "../arguments/help.ts";
import { optionDescriptions } from "../arguments/option-descriptions.ts";
import { commandsOf, usages, type Usage } from "../arguments/usages.ts";

/** In man(7) format, generated from the help. */
export function manPage(version: string): string {
  const general: readonly OptionName[] = [...new Set([...commands.ask, ...everywhere])];
  return [
    // Without a date, each version has exactly one page.
    `.TH INCIPIT 1 "" "incipit ${roff(version)}" "User Commands"`,
    ".SH NAME",
    "incipit \\- a host for AI agents that decides, shows and proves what they are told",
    ".SH SYNOPSIS",
    '.B incipit\n[\\fIOPTION\\fR]... "\\fIQUESTION\\fR"',
    ".br",
    ".B incipit\n\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...",
    ".SH DESCRIPTION",
    "A question is sent to a model, and its answer goes to standard output; everything else goes to standard error.",
    "A command asks the host that runs on the data folder; where none runs, it starts one for as long as it takes.",
    ".SH QUESTIONS",
    ...usages.filter((usage) => commandsOf(usage).length === 0).map(entryOf),
    ".SH COMMANDS",
    ...usages.filter((usage) => commandsOf(usage).length > 0).map(entryOf),
    ".SH OPTIONS",
    "These belong to a question, or to every command.",
    ...general.map(optionEntry),
    ".SH OPTIONS OF COMMANDS",
    ...Object.keys(commands)
      .filter((command) => command !== "ask" && optionsOf(command).length > 0)
      .toSorted()
      .flatMap((command) => [`.SS ${roff(command)}`, ...optionsOf(command).map(optionEntry)]),
    ".SH EXIT STATUS",
    ...exitCodes.map(([code, words]) => `.TP\n.B ${code}\n${line(words)}`),
    ".SH ENVIRONMENT",
    ".TP\n.B PAGER\nShows what is long at a terminal; otherwise\n.BR less (1)\ndoes, where it is installed.",
    '.TP\n.BR VISUAL ", " EDITOR\nEdits templates and agents.',
    '.TP\n.BR COLUMNS ", " NO_COLOR ", " TZ\nThe width of lines, whether they have colours, and the clock that times are shown by.',
    ".SH SEE ALSO",
    ".BR less (1)",
    "",
  ].join("\n");
}

function entryOf([usage, words]: Usage): string {
  const how = usage.startsWith("git ") ? usage : `incipit ${usage}`;
  return `.TP\n\\fB${roff(how)}\\fR\n${line(words)}`;
}

function optionEntry(name: OptionName): string {
  return `.TP\n\\fB${roff(optionUsage(name))}\\fR\n${line(optionDescriptions[name].words)}`;
}

function line(text: string): string {
  const safe = roff(text);
  return /^[.']/.test(safe) ? `\\&${safe}` : safe;
}

function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "...")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq");
}
