import { expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "./index.ts";

test("docs/guide/terminal.md lists each command with its summary in the order of /help", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../../docs/guide/terminal.md")).text();
  const rows = [...page.matchAll(/^\| `(\/[^`]+)` \| (.+) \|$/gm)].map(([, name, said]) => [name, said]);

  const known = commands.map(({ name, argument, summary }) => [
    argument === undefined ? `/${name}` : `/${name} ${argument}`,
    summary,
  ]);

  expect(rows).toEqual(known);
});

test("commands have unique names, and completions only with an argument", () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  expect(commands.filter(({ complete, argument }) => complete !== undefined && argument === undefined)).toEqual([]);
});
