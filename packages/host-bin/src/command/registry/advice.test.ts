import { Glob } from "bun";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { commands } from "../definitions/commands.ts";
import { options } from "./options.ts";
import { commandNames } from "./command.ts";
import { alternativesOf } from "./match-command.ts";

const root = join(import.meta.dir, "../../../../..");

interface Advice {
  readonly file: string;
  readonly words: readonly string[];
}

async function* sources(): AsyncGenerator<{ readonly file: string; readonly text: string }> {
  for await (const file of new Glob("{apps,packages,extensions}/*/src/**/*.{ts,tsx}").scan({ cwd: root }))
    if (!/node_modules|\.test\.|\/testing\/|completion-script/.test(file))
      yield { file, text: await Bun.file(join(root, file)).text() };
}

async function advice(): Promise<readonly Advice[]> {
  const found: Advice[] = [];
  for await (const { file, text } of sources())
    for (const [, words = ""] of text.matchAll(/\bincipit ([a-z][^"'`;,()\n”…$.]*)/g))
      found.push({ file, words: words.trim().split(/\s+/) });
  return found;
}

const verbs = ["lists", "shows", "says", "has", "alone", "version", "found"];

function actionsOf(command: string): readonly string[] {
  return commands
    .filter(({ name }) => name === command)
    .flatMap(({ places: [place = ""] }) => alternativesOf(place));
}

test("[trial:wrong-advice] every command, action and option in the program's texts exists", async () => {
  const all = await advice();
  const names = new Set<string>([...commandNames(commands), "complete", "help"]);
  const flags = new Set<string>(Object.values(options).map(({ flag }) => flag));

  const wrong = all.filter(({ words: [first = "", second = "", ...rest] }) => {
    if (verbs.includes(first)) return false;
    const isCommand = first.split("|").every((name) => names.has(name));
    const actions = actionsOf(first);
    const isAction =
      actions.length === 0 || !/^[a-z][a-z-]*$/.test(second) || [...actions, ...verbs].includes(second);
    const named = [second, ...rest].flatMap((word) => /^--([a-z-]+)$/.exec(word)?.[1] ?? []);
    return !(isCommand && isAction && named.every((name) => flags.has(name)));
  });

  expect(all.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

test("[trial:wrong-advice] every page named in the sources exists", async () => {
  const named: string[] = [];
  for await (const { text } of sources()) named.push(...(text.match(/docs\/guide\/[\w.-]+\.md/g) ?? []));

  expect(named).toContain("docs/guide/channels.md");
  expect(named.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

test("[trial:wrong-advice] no text of the command refers a user to an HTTP route", async () => {
  const found: string[] = [];
  for await (const { file, text } of sources()) {
    if (!/host-bin\/src\/command|packages\/terminal/.test(file)) continue;
    const lines = text.split("\n").filter((line) => /["`]/.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line));
    found.push(
      ...lines.filter((line) => /\b(?:GET|POST|PUT|PATCH|DELETE) \//.test(line)).map((line) => `${file}: ${line}`),
    );
  }

  expect(found).toEqual([]);
});
