import { expect, test } from "bun:test";
import fc from "fast-check";

import { commands } from "../definitions/commands.ts";
import { commandNames } from "../registry/command.ts";
import { options } from "../registry/options.ts";
import { completed } from "./completed.ts";

function valuesOf(...words: readonly string[]): readonly string[] {
  return completed(commands, words).candidates.map(({ value }) => value);
}

test("completed offers every command and each option of a command", () => {
  expect([...valuesOf("")].toSorted()).toEqual(commandNames(commands).toSorted());
  expect(valuesOf("audit", "--")).toEqual([
    "--since",
    "--reason",
    "--continue",
    "--cwd",
    "--conversation",
    "--config",
    "--data",
    "--help",
    "--json",
    "--version",
  ]);
});

test("completed returns the kind of a requested value", () => {
  expect(completed(commands, ["-s", ""])).toMatchObject({ kind: "values", of: "conversation", before: "" });
  expect(completed(commands, ["--model=a"])).toMatchObject({ kind: "values", of: "model", before: "--model=" });
  expect(completed(commands, ["extensions", "unload", ""])).toMatchObject({ kind: "values", of: "extension" });
  expect(completed(commands, ["agents", "show", ""])).toMatchObject({ kind: "values", of: "agent" });
  expect(completed(commands, ["conversations", "delete", "a", "b", ""])).toMatchObject({
    kind: "values",
    of: "conversation",
  });
  expect(completed(commands, ["audit", ""])).toMatchObject({
    kind: "values",
    of: "conversation",
    candidates: [{ value: "all" }, { value: "broken" }],
  });
  expect(completed(commands, ["conversations", "rename", "a", ""])).toEqual({ kind: "these", candidates: [] });
});

test("completed offers only continuations of any typed text", () => {
  const word = fc.oneof(
    fc.constantFrom(...commandNames(commands), "show", "ID", "…", ""),
    fc.constantFrom(...Object.values(options).map(({ flag }) => `--${flag}`)),
    fc.string(),
  );
  const property = fc.property(fc.array(word), word, (before, current) => {
    for (const value of valuesOf(...before, current)) expect(value.startsWith(current)).toBe(true);
  });
  fc.assert(property);
});
