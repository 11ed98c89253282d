/**
 * `bun run bench [--write FILE] [SUBJECT…]`: measures all or the given subjects and prints a table of each. With
 * `--write`, replaces the tables of FILE between its comments `<!-- bench SUBJECT -->` and `<!-- end -->`.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { awake } from "./awake.bench.ts";
import { costs } from "./cost.bench.ts";
import { lookup } from "./lookup.bench.ts";
import { firstAnswers } from "./first-answer.bench.ts";
import { followers } from "./followers.bench.ts";
import { growth, million } from "./growth.bench.ts";
import { construct, turns } from "./host.bench.ts";
import { replaceTable } from "./page.ts";
import { pages } from "./page.bench.ts";
import { programs } from "./programs.bench.ts";
import { search } from "./search.bench.ts";
import { size } from "./size.bench.ts";
import { start, startWithMany } from "./start.bench.ts";
import { getPrompt } from "./storage.bench.ts";
import { streams } from "./streams.bench.ts";
import { toMarkdown, type Row } from "./table.ts";
import { hostileTemplates, templates } from "./templates.bench.ts";
import { terminal } from "./terminal.bench.ts";
import { tools } from "./tools.bench.ts";

const subjects: Readonly<Record<string, () => readonly Row[] | Promise<readonly Row[]>>> = {
  cost: costs,
  programs,
  "first-answer": firstAnswers,
  turns,
  tools,
  lookup,
  search,
  followers,
  streams,
  awake,
  size,
  start,
  many: startWithMany,
  growth,
  million,
  page: pages,
  terminal,
  storage: getPrompt,
  construct,
  templates,
  hostile: hostileTemplates,
};

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function readArguments(): { readonly write: string | undefined; readonly positionals: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({ options: { write: { type: "string" } }, allowPositionals: true });
    return { write: values.write, positionals };
  } catch (error) {
    return refuse(String(error));
  }
}

async function refuseWithoutPlaces(file: string, names: readonly string[]): Promise<void> {
  try {
    const page = await readFile(file, "utf8");
    for (const name of names) replaceTable(page, name, "");
  } catch (error) {
    refuse(`Cannot write to "${file}": ${error instanceof Error ? error.message : String(error)}`);
  }
}

const { write, positionals: named } = readArguments();
const unknown = named.find((name) => !Object.hasOwn(subjects, name));
if (unknown !== undefined)
  refuse(`There is no subject "${unknown}"; there are ${Object.keys(subjects).join(", ")}`);
const chosen = Object.entries(subjects).filter(([name]) => named.length === 0 || named.includes(name));
if (write !== undefined)
  await refuseWithoutPlaces(
    write,
    chosen.map(([name]) => name),
  );
for (const [name, measure] of chosen) {
  process.stderr.write(`${name} …\n`);
  const table = toMarkdown(await measure());
  process.stdout.write(`\n${name}\n\n${table}\n`);
  if (write !== undefined) await Bun.write(write, replaceTable(await readFile(write, "utf8"), name, table));
}
process.exit(0);
