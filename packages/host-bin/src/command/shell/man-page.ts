import { version } from "../../version.ts";
import { options, type OptionName } from "../registry/options.ts";
import { commandNames, type Call, type Command } from "../registry/command.ts";
import { exitCodes, generalOptions, optionUsage, optionsOf, summary, usagesOf } from "../registry/help.ts";

export async function printManPage({ output, commands }: Pick<Call, "output" | "commands">): Promise<void> {
  output.out(manPage(commands, version));
}

/** In man(7) format, generated from the definitions. */
export function manPage(commands: readonly Command[], edition: string): string {
  return [
    // Without a date, each version has exactly one page.
    `.TH INCIPIT 1 "" "incipit ${roff(edition)}" "User Commands"`,
    ".SH NAME",
    roff(summary).replace(":", " \\-"),
    ".SH SYNOPSIS",
    '.B incipit\n[\\fIOPTION\\fR]... "\\fIQUESTION\\fR"',
    ".br",
    ".B incipit\n\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...",
    ".SH DESCRIPTION",
    "A question is sent to a model, and its answer goes to standard output; everything else goes to standard error.",
    "A command uses the host that runs on the data folder; without one, it starts a host until it exits.",
    ".SH COMMANDS",
    ...commands.flatMap((command) => usagesOf(commands, command)).map(([usage, text]) => entry(usage, text)),
    ".SH OPTIONS",
    "For a question, and for every command.",
    ...generalOptions.map(optionEntry),
    ".SH OPTIONS OF COMMANDS",
    ...commandNames(commands)
      .filter((name) => optionsOf(commands, name).length > 0)
      .toSorted()
      .flatMap((name) => [`.SS ${roff(name)}`, ...optionsOf(commands, name).map(optionEntry)]),
    ".SH EXAMPLES",
    ...commands.flatMap(({ summary: text, examples }) => examples.map((example) => entry(example, text))),
    ".SH EXIT STATUS",
    ...exitCodes.map(([code, meaning]) => `.TP\n.B ${code}\n${line(meaning)}`),
    ".SH ENVIRONMENT",
    ".TP\n.B PAGER\nPages long output at a terminal; by default\n.BR less (1),\nif installed.",
    '.TP\n.BR VISUAL ", " EDITOR\nEdits templates and agents.',
    '.TP\n.BR COLUMNS ", " NO_COLOR ", " TZ\nThe width of lines, whether they have colours, and the time zone of printed times.',
    ".SH SEE ALSO",
    ".BR less (1)",
    "",
  ].join("\n");
}

function entry(usage: string, text: string): string {
  return `.TP\n\\fB${roff(usage)}\\fR\n${line(text)}`;
}

function optionEntry(name: OptionName): string {
  return entry(optionUsage(name), options[name].summary);
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
