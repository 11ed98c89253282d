import { expect, test } from "bun:test";
import { toolView } from "./tool-view.ts";

test("toolView shows purpose and place of search and find_files", () => {
  const view = (name: string, input: object): object =>
    toolView({ name, input: JSON.stringify(input), cwd: "/work" });

  expect(view("search", { pattern: "tide", path: "src" })).toMatchObject({
    title: 'Search for "tide" in src',
    kind: "search",
    locations: [{ path: "/work/src" }],
  });
  expect(view("find_files", { pattern: "**/*.ts" })).toMatchObject({
    title: 'Find "**/*.ts"',
    kind: "search",
    locations: [],
  });
});
