/** `bun run bench [--write FILE] [SUBJECT…]`: measures everything, or what is named; prints one table, and writes it to FILE. */
import { parseArgs } from "node:util";
import { construct, start, turns } from "./host.bench.ts";
import { kernelCalls, kernelLoads, kernelMemory } from "./kernel.bench.ts";
import { getPrompt } from "./storage.bench.ts";
import { toMarkdown, type Row } from "./table.ts";
import { hostileTemplates, templates } from "./templates.bench.ts";

const subjects: Readonly<Record<string, () => readonly Row[] | Promise<readonly Row[]>>> = {
  templates,
  hostile: hostileTemplates,
  construct,
  turns,
  start,
  storage: getPrompt,
  kernel: async () => [...(await kernelCalls()), ...(await kernelLoads()), ...(await kernelMemory())],
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

const { write, positionals: named } = readArguments();
const unknown = named.find((name) => !Object.hasOwn(subjects, name));
if (unknown !== undefined)
  refuse(`There is no subject "${unknown}"; there are ${Object.keys(subjects).join(", ")}`);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(subjects)) {
  if (named.length > 0 && !named.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await measure()));
}
const table = `${toMarkdown(rows)}\n`;
process.stdout.write(table);
if (write !== undefined) await Bun.write(write, table);
process.exit(0);
