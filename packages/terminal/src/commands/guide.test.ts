import { expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "./index.ts";

test("docs/guide/terminal.md has each command with what it says of itself, in the order of /help", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../../docs/guide/terminal.md")).text();
  const rows = [...page.matchAll(/^\| `(\/[^`]+)` \| (.+) \|$/gm)].map(([, name, said]) => [name, said]);

  const known = commands.map(({ name, argument, summary }) => [
    argument === undefined ? `/${name}` : `/${name} ${argument}`,
    summary,
  ]);

  expect(rows).toEqual(known);
});

test("commands have names that differ, and no list of arguments without a place for one", () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  expect(commands.filter(({ complete, argument }) => complete !== undefined && argument === undefined)).toEqual([]);
});
