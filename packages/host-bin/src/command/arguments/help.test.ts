import { expect, test } from "bun:test";
import { commandWords, options } from "./arguments.ts";
import { helpOf, optionsOf } from "./help.ts";
import { commandsOf, firstPageUsages, usages } from "./usages.ts";

const shown = [undefined, "all", "list", ...commandWords];

test("helpOf() never exceeds the terminal's width for any command", () => {
  for (const width of [50, 60, 72, 80, 120])
    for (const command of shown) {
      const tooLong = helpOf(command, width)
        .split("\n")
        .filter((line) => line.length > width);
      expect({ command, width, tooLong }).toEqual({ command, width, tooLong: [] });
    }
});

test("helpOf() prints only a command's own lines and options", () => {
  const lines = helpOf("audit", 80).trimEnd().split("\n");

  expect(lines.map((line) => line.trim().split(" ").slice(0, 2).join(" "))).toEqual([
    "incipit audit",
    "[--since WHEN]",
    "incipit audit",
    "",
    "-c, --continue",
    "-s, --conversation",
    "title begins",
    "--reason REASON",
    "--since WHEN",
    "date",
    "",
    "incipit help",
  ]);
});

test("helpOf() prints the usage of a command that is listed on a line with others", () => {
  expect(helpOf("compact", 80)).toContain("incipit compact ID [WORDS]");
  expect(helpOf("compact", 80)).not.toContain("incipit audit");
});

test("helpOf() returns a first page of at most 24 rows, also for unknown commands, and all usages on request", () => {
  const first = helpOf(undefined, 80);

  expect(first.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
  expect(first).toContain("incipit help all");
  for (const word of commandWords) expect(first).toContain(word);
  expect(helpOf("help", 80)).toBe(first);
  expect(helpOf("weather", 80)).toBe(`There is no command "weather"\n\n${first}`);
  expect(helpOf("adit", 80)).toStartWith('There is no command "adit"; did you mean "audit"?\n');
  const all = helpOf("all", 80);
  for (const [usage] of usages) expect(all.replaceAll(/\s+/g, " ")).toContain(usage);
});

test("everyday usages are a subset of the usages", () => {
  expect([...firstPageUsages].filter((usage) => usages.every(([known]) => known !== usage))).toEqual([]);
});

test("usages contain exactly the commands, with only options that each command takes", () => {
  const described = usages.flatMap(commandsOf);

  expect([...new Set(described)].toSorted()).toEqual([...commandWords, "list"].toSorted());
  for (const usage of usages)
    for (const command of commandsOf(usage))
      for (const [, name = ""] of usage[1].matchAll(/--([a-z0-9-]+)/g)) {
        const isKnown = Object.keys(options).includes(name);
        const isTaken = optionsOf(command).some((option) => option === name);
        const isQuoted = command === "agents" || command === "chat";
        expect({ usage, name, isKnown, isTaken: isTaken || isQuoted }).toEqual({
          usage,
          name,
          isKnown: true,
          isTaken: true,
        });
      }
});
