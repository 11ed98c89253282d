import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { relativeWithin } from "./relative-within.ts";

const folder = resolve("/work/notes");

test("relativeWithin returns the path below the folder, and nothing outside of it", () => {
  expect(relativeWithin(folder, join(folder, "a", "b"))).toBe(join("a", "b"));
  expect(relativeWithin(folder, folder)).toBe("");
  expect(relativeWithin(folder, join(folder, "..b"))).toBe("..b");
  for (const path of ["..", "../notes-b", "../../etc"])
    expect(relativeWithin(folder, resolve(folder, path))).toBeUndefined();
});
