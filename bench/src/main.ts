/** `bun run bench [SUBJECT…]`: measures everything, or what is named, and prints one table. */
import { construct, start, turns } from "./host.bench.ts";
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
};

const named = process.argv.slice(2);
const unknown = named.find((name) => subjects[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no subject "${unknown}"; there are ${Object.keys(subjects).join(", ")}\n`);
  process.exit(2);
}
const rows: Row[] = [];
for (const [name, measure] of Object.entries(subjects)) {
  if (named.length > 0 && !named.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await measure()));
}
process.stdout.write(`${toMarkdown(rows)}\n`);
process.exit(0);
