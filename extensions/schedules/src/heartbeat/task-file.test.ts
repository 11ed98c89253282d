import { expect, test } from "bun:test";
import { taskFileQuirks } from "@incipit/testkit";
import { hasTasks } from "./task-file.ts";

test("hasTasks ignores headings, comments, empty items and white space", () => {
  for (const text of [
    "",
    " \n\t\n",
    "# Heartbeat\n\n## Later\n",
    "<!-- nothing\n- yet -->\n",
    "- \n* [ ]\n1. [x]\n- []",
    "<!-- open\n- hidden",
    "#!",
  ])
    expect({ text, hasTasks: hasTasks(text) }).toEqual({ text, hasTasks: false });
});

test("hasTasks accepts any other line", () => {
  for (const text of ["Look at the disk.", "# Title\n- [ ] Look", "<!-- a -->\n1. Look", "- -", "a = b"])
    expect({ text, hasTasks: hasTasks(text) }).toEqual({ text, hasTasks: true });
});

for (const { id, does, text, hasTasks: expected } of taskFileQuirks)
  test(`hasTasks, quirk ${id}: ${does}`, () => {
    expect(hasTasks(text)).toBe(expected);
  });
