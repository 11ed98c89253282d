import { expect, test } from "bun:test";
import { parseArguments, UsageError } from "./arguments.ts";

const understood = [
  [["Hello"], { command: "ask", words: ["Hello"] }],
  [["-s", "ID", "Hello"], { command: "ask", conversation: "ID", words: ["Hello"] }],
  [["--repl", "-s", "ID"], { command: "chat", conversation: "ID" }],
  [["chat", "--system", "x"], { command: "chat", system: ["x"] }],
  [["--system", "x", "--system-mode", "append", "Hello"], { system: ["x"], systemMode: "append" }],
  [["--system", "x", "--system-mode", "replace", "Hello"], { systemMode: "replace" }],
  [["--file", "a", "--file", "b", "Hello"], { command: "ask", files: ["a", "b"] }],
  [["serve", "--port", "0", "--json"], { command: "serve", port: "0", isJson: true }],
  [["prompt", "set", "-"], { command: "prompt", words: ["set", "-"] }],
  [["conversations", "fork", "ID", "--after", "M"], { words: ["fork", "ID"], after: "M" }],
  [
    ["record", "export", "ID", "out", "--step", "3"],
    { command: "record", words: ["export", "ID", "out"], step: "3" },
  ],
  [["extensions"], { command: "extensions", words: [] }],
  [["what?"], { command: "ask", words: ["what?"] }],
  [["help"], { command: "help" }],
  [["serve", "--help"], { command: "help", words: ["serve"] }],
  [["help", "audit"], { command: "help", words: ["audit"] }],
  [["Hello", "--help"], { command: "help", words: [] }],
  [["--version"], { command: "version" }],
] as const;

for (const [args, expected] of understood) {
  test(`parseArguments parses ${args.join(" ")}`, () => {
    expect(parseArguments(args)).toMatchObject(expected);
  });
}

test("parseArguments takes piped input as the question without arguments", () => {
  for (const args of [[], ["-s", "ID"], ["-c", "--json"]])
    expect(parseArguments(args, { isPiped: true })).toMatchObject({ command: "ask", words: [] });
  expect(parseArguments(["--repl"], { isPiped: true })).toMatchObject({ command: "chat" });
  expect(parseArguments(["--help"], { isPiped: true })).toMatchObject({ command: "help", words: [] });
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
  [["--port", "1", "Hello"], '"--port" means nothing to a question'],
  [["chat", "--file", "x"], '"--file" means nothing to "incipit chat"'],
  [["--before", "M", "Hello"], '"--before" means nothing to a question'],
  [["token", "--model", "x"], '"--model" means nothing to "incipit token"'],
  [["sevre"], 'did you mean "serve"?'],
  [["-f", "notes.md", "Hello"], 'Unknown option "-f"; "incipit help all" lists them'],
  [[" "], "The question is empty; write one"],
  [["drift", "01a2"], 'did you mean "conversations drift"?'],
  [["explain"], 'did you mean "conversations explain" or "prompt explain"?'],
  [["extension", "list"], 'did you mean "extensions"?'],
  [["two", "words"], "put it in quotes"],
  [["serve", "now"], 'takes no "now"'],
  [["uninstall", "--yes"], "takes none of its own"],
  [["update", "now"], 'takes no "now"'],
  [["--repl", "Hello there"], "takes no question"],
  [["--system", "x", "--system-mode", "none", "Hello"], "write --system-mode replace or append"],
  [["--system-mode", "append", "Hello"], '"--system", which is missing'],
] as const;

for (const [args, message] of refused) {
  test(`parseArguments rejects "${args.join(" ")}" with a suggestion`, () => {
    expect(() => parseArguments(args)).toThrow(UsageError);
    expect(() => parseArguments(args)).toThrow(message);
  });
}

const everywhere = ["config", "data", "json"];
const talking = ["conversation", "cwd", "model", "profile", "system"];

const taken: readonly (readonly [words: readonly string[], options: readonly string[]])[] = [
  [["What is new?"], [...talking, "file"]],
  [["audit"], ["conversation", "reason", "since"]],
  [["chat"], [...talking, "repl"]],
  [["conversations"], ["after", "before", "cwd", "model", "note", "since", "status", "yes"]],
  [["extensions"], ["yes"]],
  [["models"], []],
  [["prompt"], ["cwd", "model", "note", "profile", "yes"]],
  [["record"], ["cwd", "model", "step"]],
  [["serve"], ["cwd", "host", "model", "port"]],
  [["token"], ["days", "name", "scope"]],
  [["trust"], ["file", "sha256"]],
];
const flags = new Set(["json", "repl", "yes"]);
const all = [...new Set([...everywhere, ...taken.flatMap(([, options]) => options)])];

for (const [words, options] of taken)
  test(`parseArguments accepts the options of ${words.join(" ")} and rejects all others`, () => {
    // "--repl" excludes a question, and without a question the command is "chat".
    for (const option of all.filter((name) => name !== "repl" || words[0] !== "What is new?")) {
      const given = [...words, `--${option}`, ...(flags.has(option) ? [] : ["x"])];
      if (everywhere.includes(option) || options.includes(option))
        expect(() => parseArguments(given)).not.toThrow();
      else expect(() => parseArguments(given)).toThrow(`"--${option}" means nothing to`);
    }
  });

test("parseArguments parses all other arguments with --version and --help", () => {
  expect(parseArguments(["--version", "--json"])).toMatchObject({ command: "version", isJson: true });
  expect(parseArguments(["models", "--help", "--json"])).toMatchObject({ command: "help", isJson: true });
});

test("parseArguments accepts a negative number as an argument and as an option value", () => {
  expect(parseArguments(["send", "telegram", "-1001234", "-5 degrees"])).toMatchObject({
    command: "send",
    words: ["telegram", "-1001234", "-5 degrees"],
  });
  expect(parseArguments(["schedules", "list", "--retries", "-3"])).toMatchObject({ retries: "-3" });
  expect(parseArguments(["What?", "--file", "-1.md"])).toMatchObject({ files: ["-1.md"] });
});
