import { expect, test } from "bun:test";
import { helpOf } from "./help.ts";

test("helpOf() fits a terminal of 80 columns", () => {
  const lines = helpOf(undefined).split("\n");

  expect(lines.length).toBeGreaterThan(40);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test("helpOf() of a command has its lines alone, with those that go on with them", () => {
  const lines = helpOf("audit").trimEnd().split("\n");

  expect(lines.map((line) => line.trim().split(" ").slice(0, 2).join(" "))).toEqual([
    "incipit audit",
    "[--since TIME]",
    "incipit audit",
    "",
    "incipit --help",
  ]);
});

test("helpOf() of a command that shares its line has that line", () => {
  expect(helpOf("compact")).toContain("incipit stop|compact ID");
  expect(helpOf("compact")).not.toContain("incipit audit");
});

test("helpOf() of what is no command has all of it", () => {
  expect(helpOf("adit")).toBe(helpOf(undefined));
  expect(helpOf("ask")).toBe(helpOf(undefined));
});
