import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { buildCommand } from "./build-command.ts";
import { megabytes } from "./format.ts";
import { startHostProcess } from "./host-process.ts";
import { percentile } from "./measure.ts";
import { cpuMs } from "./process-cpu.ts";
import type { Row } from "./table.ts";
import { timeTurn } from "./time-turn.ts";

const turnCount = 10_000;
const input = "Which files changed since yesterday?";
const reply = ["Three: ", "the parser, ", "its test, ", "and the page that explains it."];

function around(timesMs: readonly number[], turn: number): number {
  return percentile(timesMs.slice(Math.max(0, turn - 50), turn + 50), 0.5);
}

/** From the first turn of a host on. */
export async function costs(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const command = await buildCommand();
  await using host = await startHostProcess({ folder: folder.path, modelUrl: model.url, command });
  const memory = new Map<number, number>([[0, await host.residentBytes()]]);
  const { id } = (await host.client.call(routes.createConversation, { body: {} })).conversation;
  const times: number[] = [];
  const cpu = new Map<number, number>();
  for (let turn = 1; turn <= turnCount; turn += 1) {
    model.enqueue({ kind: "text", chunks: reply });
    times.push((await timeTurn(host.client, id, model, input)).ownMs);
    model.forget();
    if (turn === 100 || turn === 1_000) memory.set(turn, await host.residentBytes());
    if (turn === 20 || turn === 1_020) cpu.set(turn, await cpuMs(host.pid));
  }
  const warm = times.slice(20, 120);
  const [p50, p95] = [percentile(warm, 0.5), percentile(warm, 0.95)];
  const cpuOfTurn = ((cpu.get(1_020) ?? Number.NaN) - (cpu.get(20) ?? Number.NaN)) / 1_000;
  const first = times[0] ?? Number.NaN;
  const grown = (turn: number): number => around(times, turn) / around(times, 100);
  const atTurn = (turn: number): number => memory.get(turn) ?? Number.NaN;
  return [
    {
      subject: "a warm turn, the host's own time, turns 21 to 120",
      measured: `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`,
      target: "1 ms, 2 ms",
      isMet: p50 <= 1 && p95 <= 2,
    },
    {
      subject: "CPU of a turn, turns 21 to 1,020",
      measured: `${cpuOfTurn.toFixed(2)} ms`,
      target: "1.2 ms",
      isMet: cpuOfTurn <= 1.2,
    },
    {
      subject: "first turn after the start",
      measured: `${first.toFixed(1)} ms`,
      target: "8 ms",
      isMet: first <= 8,
    },
    {
      subject: "turn 1,000 beside turn 100",
      measured: `${grown(1_000).toFixed(2)} x`,
      target: "1.1 x",
      isMet: grown(1_000) <= 1.1,
    },
    {
      subject: "turn 10,000 beside turn 100",
      measured: `${grown(turnCount - 50).toFixed(2)} x`,
      target: "1.1 x",
      isMet: grown(turnCount - 50) <= 1.1,
    },
    {
      subject: "memory after the start, 100 turns, 1,000 turns",
      measured: [0, 100, 1_000].map((turn) => megabytes(atTurn(turn))).join(", "),
      target: "60, 80, 90 MB",
      isMet: atTurn(0) <= 60e6 && atTurn(100) <= 80e6 && atTurn(1_000) <= 90e6,
    },
  ];
}
