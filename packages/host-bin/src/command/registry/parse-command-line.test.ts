import { expect, test } from "bun:test";
import { commands } from "../definitions/commands.ts";
import { options } from "./options.ts";
import { parseCommandLine, type CommandLine } from "./parse-command-line.ts";
import { UsageError } from "./usage-error.ts";

function parse(argv: readonly string[], terminal: Parameters<typeof parseCommandLine>[2] = {}): unknown {
  const line = parseCommandLine(commands, argv, terminal);
  return line.kind === "command" ? { usage: line.command.usage, words: line.words, ...line.args } : line;
}

const question = { usage: "ask [QUESTION]" };

const understood = [
  [["Hello"], { ...question, words: ["Hello"] }],
  [["-s", "ID", "Hello"], { ...question, conversation: "ID", words: ["Hello"] }],
  [["--repl", "-s", "ID"], { usage: "chat", conversation: "ID" }],
  [["chat", "--system", "x"], { usage: "chat", system: ["x"] }],
  [["--system", "x", "--system-mode", "append", "Hello"], { system: ["x"], systemMode: "append" }],
  [["--system", "x", "--system-mode", "replace", "Hello"], { systemMode: "replace" }],
  [["--file", "a", "--file", "b", "Hello"], { ...question, files: ["a", "b"] }],
  [["serve", "--port", "0", "--json"], { usage: "serve", port: "0", isJson: true }],
  [["prompt", "set", "-"], { usage: "prompt set [FILE|TEXT|-]", words: ["-"] }],
  [["conversations", "fork", "ID", "--after", "M"], { words: ["ID"], after: "M" }],
  [["conversations", "unarchive", "a", "b"], { words: ["unarchive", "a", "b"] }],
  [
    ["conversations", "export", "a", "b", "c"],
    { usage: "conversations export ID… FOLDER", words: ["a", "b", "c"] },
  ],
  [["record", "export", "-c", "out", "--step", "3"], { words: ["-c", "out"], isContinued: true, step: "3" }],
  [["audit", "-s", "ID"], { usage: "audit ID", words: ["ID"] }],
  [["audit", "broken"], { usage: "audit [all|broken]", words: ["broken"] }],
  [["queue", "ID", "remove", "TURN"], { usage: "queue ID remove TURN", words: ["ID", "TURN"] }],
  [["mcp", "add", "x", "--", "p", "--help"], { words: ["x", "p", "--help"] }],
  [["extensions"], { usage: "extensions [list]", words: [] }],
  [["list", "--model", "m", "--limit", "3"], { usage: "list [archived|all]", modelFilter: "m", limit: 3 }],
  [["Hi", "--timeout", "2m", "--max-cost", "0.5"], { timeoutMs: 120_000, maxCost: 0.5 }],
  [["what?"], { ...question, words: ["what?"] }],
  [["help"], { kind: "help", about: undefined }],
  [["serve", "--help"], { kind: "help", about: "serve" }],
  [["help", "audit"], { kind: "help", about: "audit" }],
  [["Hello", "--help"], { kind: "help", about: undefined }],
  [["--version"], { kind: "version" }],
] as const;

for (const [args, expected] of understood) {
  test(`parseCommandLine parses ${args.join(" ")}`, () => {
    expect(parse(args)).toMatchObject(expected);
  });
}

test("parseCommandLine takes piped input as the question without arguments", () => {
  for (const args of [[], ["-s", "ID"], ["-c", "--json"]])
    expect(parse(args, { isPiped: true })).toMatchObject({ ...question, words: [] });
  expect(parse(["--repl"], { isPiped: true })).toMatchObject({ usage: "chat" });
  expect(parse(["--help"], { isPiped: true })).toEqual({ kind: "help", about: undefined });
});

test("parseCommandLine opens the chat at a terminal, and the first page of the help with --help", () => {
  expect(parse([], { isAtTerminal: true })).toMatchObject({ usage: "chat" });
  expect(parse(["--help"], { isAtTerminal: true })).toEqual({ kind: "help", about: undefined });
});

const refused = [
  [[], "Nothing to do"],
  [["-s", "ID"], "Nothing to do"],
  [["--modle", "x", "Hello"], 'did you mean "--model"?'],
  [["--foo", "Hello"], '"incipit help all" lists them'],
  [["--model"], '"--model" needs a value: --model PROVIDER/MODEL'],
  [["-m"], '"-m" needs a value: -m PROVIDER/MODEL'],
  [["--conversation"], '"--conversation" needs a value: --conversation ID'],
  [["prompt", "preview", "--model", "--json"], '"--model" needs a value: --model PROVIDER/MODEL'],
  [["-s", "-c", "Hello"], '"-s" needs a value: -s ID'],
  [["--port", "1", "Hello"], 'A question has no option "--port"'],
  [["chat", "--file", "x"], '"incipit chat" has no option "--file"'],
  [["--before", "M", "Hello"], '"--before" is for "incipit conversations fork ID"'],
  [["token", "--model", "x"], '"incipit token" has no option "--model"'],
  [["sevre"], 'did you mean "serve"?'],
  [["-f", "notes.md", "Hello"], 'Unknown option "-f"; "incipit help all" lists them'],
  [[" "], "The question is empty; write one"],
  [["drift", "01a2"], 'did you mean "conversations drift"?'],
  [["explain"], 'did you mean "conversations explain" or "prompt explain"?'],
  [["extension", "list"], 'did you mean "extensions"?'],
  [["two", "words"], "put it in quotes"],
  [["serve", "now"], 'takes no "now"'],
  [["uninstall", "--yes"], "it has none of its own"],
  [["update", "now"], 'takes no "now"'],
  [["--repl", "Hello there"], '"--repl" is for "incipit chat"'],
  [["--system", "x", "--system-mode", "none", "Hello"], 'there are "replace", "append"'],
  [["prompt", "shwo"], 'There is no "prompt shwo"; did you mean "show"?'],
  [["prompt", "show", "--note", "x"], '"--note" is for "incipit prompt set"'],
  [["record"], '"record" needs show or export or replay'],
  [["answer", "ID", "accept"], '"answer" needs JSON; write: incipit answer ID accept JSON [QUESTION]'],
  [["approve", "ID", "allow", "--scope", "x"], '"--scope" is for "incipit approve ID always|always-in-folder"'],
  [["audit", "-c", "--since", "2d"], '"incipit audit ID" has no option "--since"'],
  [["mcp", "add", "files"], "incipit mcp add NAME URL"],
  [["stop"], "(-c in the place of ID: the last one of this folder)"],
  [["record", "show"], '"record show" needs ID; write: incipit record show ID'],
  [["approve", "ID", "alow"], '"approve" takes no "alow"; did you mean "allow"?'],
  [["list", "archive"], 'did you mean "archived"?'],
  [["send", "a", "b", "c", "d"], "put several words in quotes"],
  [["Hi", "--effort", "max"], '"--effort max" is not valid'],
  [["--system-mode", "append", "Hello"], 'needs "--system"'],
] as const;

for (const [args, message] of refused) {
  test(`parseCommandLine rejects "${args.join(" ")}" with a suggestion`, () => {
    expect(() => parse(args)).toThrow(UsageError);
    expect(() => parse(args)).toThrow(message);
  });
}

/** The words of an example, as a shell reads them. */
function wordsOf(example: string): readonly string[] {
  return [...example.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .slice(1)
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}

/** Several usages of a command may have the same words. */
function usageOf(argv: readonly string[]): string | undefined {
  try {
    const line = parseCommandLine(commands, argv);
    return line.kind === "command" ? line.command.usage : undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return undefined;
  }
}

function commandLineOf(example: string): CommandLine | undefined {
  const line = parseCommandLine(commands, wordsOf(example));
  return line.kind === "command" ? line : undefined;
}

test("every example of a command parses as this command", () => {
  for (const command of commands) {
    expect({ usage: command.usage, count: command.examples.length }).not.toMatchObject({ count: 0 });
    for (const example of command.examples)
      expect({ example, parsed: commandLineOf(example)?.command.usage }).toMatchObject({ parsed: command.usage });
  }
});

test("every command accepts its own options and rejects all others", () => {
  for (const { usage, options: own, examples } of commands) {
    const [example = ""] = examples;
    const words = wordsOf(example).filter((word) => !word.startsWith("-c"));
    const accepted = new Set<string>(own.map((name) => options[name].flag));
    for (const { flag } of Object.values(options)) {
      if (["help", "version", "json", "config", "data", "repl"].includes(flag) || accepted.has(flag)) continue;
      const value = Object.values(options).find((option) => option.flag === flag && "value" in option);
      const given = [`--${flag}${value === undefined ? "" : "=x"}`, ...words];
      const chosen = usageOf(given);
      expect({ given, chosen }).not.toEqual({ given, chosen: usage });
    }
  }
});

test("options that share a flag have the same short form and take a value alike", () => {
  const kinds = new Map<string, string>();
  for (const option of Object.values(options)) {
    const kind = JSON.stringify(["short" in option && option.short, "value" in option, "isMultiple" in option]);
    expect(kinds.get(option.flag) ?? kind).toBe(kind);
    kinds.set(option.flag, kind);
  }
  for (const { usage, options: own } of commands)
    expect({ usage, count: new Set(own.map((name) => options[name].flag)).size }).toEqual({
      usage,
      count: own.length,
    });
});

test("parseCommandLine accepts a negative number as an argument and as an option value", () => {
  expect(parse(["send", "telegram", "-1001234", "-5 degrees"])).toMatchObject({
    words: ["telegram", "-1001234", "-5 degrees"],
  });
  expect(parse(["schedules", "add", "a", "b", "--retries", "-3"])).toMatchObject({ retries: "-3" });
  expect(parse(["What?", "--file", "-1.md"])).toMatchObject({ files: ["-1.md"] });
});
