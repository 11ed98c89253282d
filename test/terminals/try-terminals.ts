// Tries the terminals of docs/guide/terminals.md; --write stores results for the guide's test. bun
// test/terminals/try-terminals.ts [--write] [NAME …] [SESSION …]
import { join } from "node:path";
import { tryLooking } from "./sessions/looking.ts";
import { tryScrolling } from "./sessions/scrolling.ts";
import { trySurroundings } from "./sessions/surroundings.ts";
import { tryTools } from "./sessions/tools.ts";
import { tryWorking } from "./sessions/working.ts";
import { tryWriting } from "./sessions/writing.ts";
import { readSeen, seenPath, type Seen } from "./seen.ts";
import { Trial, type Finding } from "./trial.ts";
import { triedTerminals, type TriedTerminal } from "./tried-terminals.ts";

const sessions: Readonly<Record<string, (trial: Trial) => Promise<readonly Finding[]>>> = {
  writing: tryWriting,
  working: tryWorking,
  tools: tryTools,
  looking: tryLooking,
  scrolling: tryScrolling,
  surroundings: trySurroundings,
};

const args = new Set(process.argv.slice(2));
const chosen = (all: readonly string[]): readonly string[] => {
  const named = all.filter((name) => args.has(name));
  return named.length === 0 ? all : named;
};
const chosenNames = chosen(triedTerminals.map(({ name }) => name));
const chosenSessions = chosen(Object.keys(sessions));

async function tryOne(program: TriedTerminal, session: (typeof sessions)[string]): Promise<Seen[string]> {
  const stack = new AsyncDisposableStack();
  await using _ = stack;
  const trial = stack.use(await Trial.begin(program));
  const rows: Seen[string] = {};
  for (const { row, verdict, saw } of await session(trial)) {
    const told = saw.replaceAll(trial.world.home, "~").replaceAll(/ {2,}/g, "  ").slice(0, 600);
    process.stdout.write(`${program.name}\t${row}\t${verdict}\t${told}\n`);
    rows[row] = { verdict, saw: told };
  }
  return rows;
}

const found: Record<string, Seen[string]> = {};
for (const program of triedTerminals.filter(({ name }) => chosenNames.includes(name)))
  for (const [session, run] of Object.entries(sessions).filter(([key]) => chosenSessions.includes(key)))
    try {
      found[program.name] = { ...found[program.name], ...(await tryOne(program, run)) };
    } catch (error) {
      process.stdout.write(`${program.name}\t${session}\tfailed\t${String(error)}\n`);
    }
if (args.has("--write")) {
  const seen = { ...(await readSeen()) };
  for (const [name, rows] of Object.entries(found)) seen[name] = { ...seen[name], ...rows };
  await Bun.write(join(import.meta.dir, seenPath), `${JSON.stringify(seen, undefined, 2)}\n`);
}
process.exit(0);
