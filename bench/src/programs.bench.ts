import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { join } from "node:path";
import { megabytes, spread } from "./format.ts";
import { percentile, takeTurns } from "./measure.ts";
import { residentBytes } from "./process-memory.ts";
import { incipit } from "./programs/incipit.ts";
import { opencode } from "./programs/opencode.ts";
import { pi } from "./programs/pi.ts";
import type { Program, ProgramKind, ProgramOptions } from "./programs/program.ts";
import type { Row } from "./table.ts";
import { modelMs } from "./time-turn.ts";

const turnsAtOnce = 10;
const rounds = 10;
const turnCount = turnsAtOnce * (rounds + 1);
const settleMs = 300;
const input = "Which files changed since yesterday?";
const reply = ["Three: ", "the parser, ", "its test, ", "and the page that explains it."];

type Start = (options: ProgramOptions) => Promise<Program>;

interface Measured {
  readonly readyMs: number;
  readonly firstTurnMs: number;
  /** The first round warms up. */
  readonly turnsMs: readonly number[];
  readonly sizeBytes: number;
}

/** Measures a turn, without the time of the model server. */
async function timeTurn(program: Program, model: RecordingModelServer): Promise<number> {
  const from = model.requests.length;
  model.enqueue({ kind: "text", chunks: reply });
  const startMs = performance.now();
  await program.takeTurn(input);
  return performance.now() - startMs - modelMs(model, from);
}

/** Interleaved, so that load affects all programs. */
async function measure(starts: ReadonlyMap<string, Start>): Promise<ReadonlyMap<string, Measured>> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using scope = new AsyncDisposableStack();
  const begin = (name: string, start: Start, place: string): Promise<Program> =>
    start({ folder: join(folder.path, name.split(" ")[0] ?? "", place), modelUrl: model.url });
  const ready = await takeTurns(
    Object.fromEntries(
      [...starts].map(([name, start]) => [
        name,
        async () => {
          await using program = await begin(name, start, "ready");
          return program.readyMs;
        },
      ]),
    ),
    { rounds: 5, warmUpRounds: 1 },
  );
  const programs = new Map<string, Program>();
  for (const [name, start] of starts) programs.set(name, scope.use(await begin(name, start, "turns")));
  const turns = new Map<string, number[]>([...programs.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, program] of programs) {
      await Bun.sleep(settleMs);
      for (let turn = 0; turn < turnsAtOnce; turn += 1) turns.get(name)?.push(await timeTurn(program, model));
    }
  }
  const measured = new Map<string, Measured>();
  for (const [name, { pid }] of programs)
    measured.set(name, {
      readyMs: percentile(ready.get(name) ?? [], 0.5),
      firstTurnMs: turns.get(name)?.[0] ?? Number.NaN,
      turnsMs: turns.get(name)?.slice(turnsAtOnce) ?? [],
      sizeBytes: await residentBytes(pid),
    });
  return measured;
}

/** Installs the programs; an unavailable one is listed with the reason. */
async function prepare(kinds: readonly ProgramKind[]): Promise<{
  readonly starts: ReadonlyMap<string, Start>;
  readonly missing: ReadonlyMap<string, string>;
}> {
  const starts = new Map<string, Start>();
  const missing = new Map<string, string>();
  for (const kind of kinds) {
    try {
      starts.set(kind.name, await kind.prepare());
    } catch (error) {
      missing.set(kind.name, error instanceof Error ? error.message : String(error));
    }
  }
  return { starts, missing };
}

export async function programs(): Promise<readonly Row[]> {
  const { starts, missing } = await prepare([incipit, pi, opencode]);
  const measured = await measure(starts);
  const ours = measured.get(incipit.name);
  if (ours === undefined) throw new Error("Incipit was not measured");
  const others = [...measured].filter(([name]) => name !== incipit.name);
  const median = ({ turnsMs }: Measured): number => percentile(turnsMs, 0.5);
  const rowsOf = (of: (program: Measured) => number, shown: (program: Measured) => string): readonly Row[] => [
    ...others.map(([name, program]) => ({
      subject: `– ${name}`,
      measured: `${shown(program)}: ${(of(program) / of(ours)).toFixed(1)} x ours`,
    })),
    ...[...missing].map(([name, reason]) => ({ subject: `– ${name}`, measured: `not measured: ${reason}` })),
  ];
  const piTurns = measured.get(pi.name);
  const turnVerdict =
    piTurns === undefined ? {} : { target: "a quarter of pi's", isMet: median(ours) * 4 <= median(piTurns) };
  const turnOf = (program: Measured): string =>
    `${spread(program.turnsMs)} (turn 1: ${program.firstTurnMs.toFixed(0)} ms)`;
  const readyOf = ({ readyMs }: Measured): string => `${readyMs.toFixed(0)} ms`;
  const memoryOf = ({ sizeBytes }: Measured): string => megabytes(sizeBytes);
  return [
    {
      subject: `a turn beside other programs: turns ${turnsAtOnce + 1} to ${turnCount}`,
      measured: turnOf(ours),
      ...turnVerdict,
    },
    ...rowsOf(median, turnOf),
    {
      subject: "start to ready beside them",
      measured: readyOf(ours),
    },
    ...rowsOf(({ readyMs }) => readyMs, readyOf),
    {
      subject: `memory after ${turnCount} turns beside them`,
      measured: memoryOf(ours),
      target: "80 MB",
      isMet: ours.sizeBytes <= 80e6,
    },
    ...rowsOf(({ sizeBytes }) => sizeBytes, memoryOf),
  ];
}
