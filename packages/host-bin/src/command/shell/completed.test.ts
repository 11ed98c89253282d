import { expect, test } from "bun:test";
import fc from "fast-check";
import { commandWords, options } from "../arguments/arguments.ts";
import { completed } from "./completed.ts";

function valuesOf(...words: readonly string[]): readonly string[] {
  return completed(words).candidates.map(({ value }) => value);
}

test("completed offers every command and each option of a command", () => {
  expect([...valuesOf("")].toSorted()).toEqual([...commandWords, "list"].toSorted());
  expect(valuesOf("audit", "--")).toEqual([
    "--continue",
    "--conversation",
    "--reason",
    "--since",
    "--config",
    "--data",
    "--help",
    "--json",
    "--version",
  ]);
});

test("completed returns the kind of a requested value", () => {
  expect(completed(["-s", ""])).toMatchObject({ kind: "values", of: "conversation", before: "" });
  expect(completed(["--model=a"])).toMatchObject({ kind: "values", of: "model", before: "--model=" });
  expect(completed(["extensions", "unload", ""])).toMatchObject({ kind: "values", of: "extension" });
  expect(completed(["agents", "show", ""])).toMatchObject({ kind: "values", of: "agent" });
  expect(completed(["conversations", "delete", "a", "b", ""])).toMatchObject({
    kind: "values",
    of: "conversation",
  });
  expect(completed(["audit", ""])).toMatchObject({
    kind: "values",
    of: "conversation",
    candidates: [{ value: "all" }, { value: "broken" }],
  });
  expect(completed(["conversations", "rename", "a", ""])).toEqual({ kind: "these", candidates: [] });
});

test("completed offers only continuations of any typed text", () => {
  const word = fc.oneof(
    fc.constantFrom(...commandWords, "list", "show", "ID", "…", ""),
    fc.constantFrom(...Object.keys(options).map((name) => `--${name}`)),
    fc.string(),
  );
  const property = fc.property(fc.array(word), word, (before, current) => {
    for (const value of valuesOf(...before, current)) expect(value.startsWith(current)).toBe(true);
  });
  fc.assert(property);
});
