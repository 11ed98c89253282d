// Tries the terminals of docs/guide/terminals.md and prints what it saw; with --write it keeps it for the guide's test.
// bun test/terminals/try-terminals.ts [--write] [NAME …] [SESSION …]
import { join } from "node:path";
import { tryLooking } from "./sessions/looking.ts";
import { trySurroundings } from "./sessions/surroundings.ts";
import { tryTools } from "./sessions/tools.ts";
import { tryWorking } from "./sessions/working.ts";
import { tryWriting } from "./sessions/writing.ts";
import { readSeen, seenPath } from "./seen.ts";
import { Trial, type Finding } from "./trial.ts";
import { triedTerminals } from "./tried-terminals.ts";

const sessions: Readonly<Record<string, (trial: Trial) => Promise<readonly Finding[]>>> = {
  writing: tryWriting,
  working: tryWorking,
  tools: tryTools,
  looking: tryLooking,
  surroundings: trySurroundings,
};

const args = process.argv.slice(2);
const chosen = <T extends string>(all: readonly T[]): readonly T[] => {
  const named = all.filter((name) => args.includes(name));
  return named.length === 0 ? all : named;
};

const seen = await readSeen();
for (const name of chosen(triedTerminals.map((program) => program.name))) {
  const program = triedTerminals.find((other) => other.name === name);
  if (program === undefined) continue;
  for (const session of chosen(Object.keys(sessions))) {
    await using trial = await Trial.begin(program);
    try {
      for (const { row, verdict, saw } of (await sessions[session]?.(trial)) ?? []) {
        const told = saw.replaceAll(trial.world.home, "~").replaceAll(/ {2,}/g, "  ").slice(0, 700);
        console.log(`${name}\t${row}\t${verdict}\t${told}`);
        seen[name] = { ...seen[name], [row]: { verdict, saw: told } };
      }
    } catch (error) {
      console.log(`${name}\t${session}\tfailed\t${String(error)}`);
    }
  }
}
if (args.includes("--write")) await Bun.write(join(import.meta.dir, seenPath), `${JSON.stringify(seen, undefined, 2)}\n`);
process.exit(0);
