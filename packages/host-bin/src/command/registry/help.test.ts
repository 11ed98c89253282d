import { expect, test } from "bun:test";
import { commands } from "../definitions/commands.ts";
import { completed } from "../shell/completed.ts";
import { manPage } from "../shell/man-page.ts";
import { commandNames } from "./command.ts";
import { helpOf } from "./help.ts";
import { literalsOf } from "./option.ts";

const shown = [undefined, "all", ...commandNames(commands)];

test("helpOf() never exceeds the terminal's width for any command", () => {
  for (const width of [50, 60, 72, 80, 120])
    for (const command of shown) {
      const tooLong = helpOf(commands, command, width)
        .split("\n")
        .filter((line) => line.length > width);
      expect({ command, width, tooLong }).toEqual({ command, width, tooLong: [] });
    }
});

test("helpOf() prints only a command's own lines and options", () => {
  const lines = helpOf(commands, "audit", 80).trimEnd().split("\n");

  expect(lines.map((line) => line.trim().split(" ").slice(0, 2).join(" ")).filter((line) => line !== "")).toEqual([
    "incipit audit",
    "cache [--since",
    "incipit audit",
    "their place",
    "--since WHEN",
    "date",
    "--reason REASON",
    "-c, --continue",
    "--cwd DIR",
    "folder",
    "-s, --conversation",
    "beginning of",
    "Examples: incipit",
    "incipit audit",
    "incipit help",
  ]);
});

test("helpOf() returns a first page of at most 24 rows, also for unknown commands, and all usages on request", () => {
  const first = helpOf(commands, undefined, 80);

  expect(first.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
  expect(first).toContain("incipit help all");
  for (const name of commandNames(commands)) expect(first).toContain(name);
  expect(helpOf(commands, "help", 80)).toBe(first);
  expect(helpOf(commands, "weather", 80)).toBe(`There is no command "weather"\n\n${first}`);
  expect(helpOf(commands, "adit", 80)).toStartWith('There is no command "adit"; did you mean "audit"?\n');
  const all = helpOf(commands, "all", 80);
  for (const { title } of commands) expect(all.replaceAll(/\s+/g, " ")).toContain(title);
});

test("every command has help, a completion and an entry in the manual", () => {
  const manual = manPage(commands, "1.0.0")
    .replaceAll(/\\\(dq/g, '"')
    .replaceAll("\\-", "-")
    .replaceAll("...", "…");
  for (const { name, title, places, summary } of commands) {
    expect(summary).toMatch(/^[a-z].*[^.]$/);
    expect(manual).toContain(title);
    expect(manual).toContain(summary.replaceAll("'", "\\(aq").replaceAll("...", "…"));
    if (name === "ask") continue;
    expect(helpOf(commands, name, 200)).toContain(title);
    expect(completed(commands, [name]).candidates).toContainEqual(expect.objectContaining({ value: name }));
    for (const action of literalsOf((places[0] ?? "").replaceAll(/[[\]]/g, "")))
      expect(completed(commands, [name, action]).candidates).toContainEqual(
        expect.objectContaining({ value: action }),
      );
  }
});
