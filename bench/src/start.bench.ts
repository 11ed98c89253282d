import { createTempFolder } from "@incipit/testkit";
import { join } from "node:path";
import { buildCommand } from "./build-command.ts";
import { count, megabytes } from "./format.ts";
import { dataFolderOf, startHostProcess } from "./host-process.ts";
import { countConversations, storeConversations } from "./many-conversations.ts";
import { percentile, takeTurns } from "./measure.ts";
import type { Row } from "./table.ts";

const rounds = 11;

async function timeReady(folder: string, command?: readonly string[]): Promise<number> {
  await using host = await startHostProcess(command === undefined ? { folder } : { folder, command });
  return host.readyMs;
}

export async function start(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  const empty = join(folder.path, "empty.ts"); // `bun -e ""` prints the help without starting an engine.
  await Bun.write(empty, "");
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path };
  const timeEmpty = async (): Promise<number> => {
    const startMs = performance.now();
    await Bun.spawn([process.execPath, empty], { cwd: folder.path, env }).exited;
    return performance.now() - startMs;
  };
  const command = await buildCommand();
  /** Host and model are part of the command. */
  const timeQuestion = async (): Promise<number> => {
    const startMs = performance.now();
    const { exited } = Bun.spawn([...command, "What were you told?"], {
      cwd: folder.path,
      env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    if ((await exited) !== 0) throw new Error("The question was not answered");
    return performance.now() - startMs;
  };
  const samples = await takeTurns(
    {
      source: () => timeReady(folder.path),
      built: () => timeReady(folder.path, command),
      question: timeQuestion,
      empty: timeEmpty,
    },
    { rounds, warmUpRounds: 1 },
  );
  const [sourceMs = NaN, builtMs = NaN, questionMs = NaN, emptyMs = NaN] = [
    "source",
    "built",
    "question",
    "empty",
  ].map((name) => percentile(samples.get(name) ?? [], 0.5));
  return [
    {
      subject: "start to ready, warm, as `bun run build` makes it",
      measured: `${builtMs.toFixed(0)} ms (an empty Bun process: ${emptyMs.toFixed(0)} ms)`,
      target: "40 ms",
      isMet: builtMs <= 40,
    },
    {
      subject: "– one question, from the start of the command to its end",
      measured: `${questionMs.toFixed(0)} ms`,
      target: "70 ms",
      isMet: questionMs <= 70,
    },
    {
      subject: "– from the source",
      measured: `${sourceMs.toFixed(0)} ms`,
      target: "100 ms",
      isMet: sourceMs <= 100,
    },
  ];
}

const manyConversations = 100_000;

export async function startWithMany(): Promise<readonly Row[]> {
  await using none = await createTempFolder();
  await using many = await createTempFolder();
  await storeConversations(many.path, manyConversations);
  const sizeBytes = Bun.file(join(dataFolderOf(many.path), "incipit.db")).size;
  const memory = { none: 0, many: 0 };
  {
    await using host = await startHostProcess({ folder: many.path });
    memory.many = await host.residentBytes();
    const listed = await countConversations(host.client);
    if (listed !== manyConversations) throw new Error(`The host lists ${listed} conversations`);
  }
  {
    await using host = await startHostProcess({ folder: none.path });
    memory.none = await host.residentBytes();
  }
  const samples = await takeTurns(
    { none: () => timeReady(none.path), many: () => timeReady(many.path) },
    { rounds, warmUpRounds: 1 },
  );
  const [noneMs, manyMs] = [samples.get("none") ?? [], samples.get("many") ?? []].map((of) => percentile(of, 0.5));
  const moreMs = (manyMs ?? Number.NaN) - (noneMs ?? Number.NaN);
  return [
    {
      subject: `start with ${count(manyConversations)} conversations of one turn each`,
      measured: `${manyMs?.toFixed(0)} ms, and ${noneMs?.toFixed(0)} ms with none: ${moreMs.toFixed(0)} ms more (${megabytes(sizeBytes)} on disk)`,
      target: "100 ms more than with none",
      isMet: moreMs <= 100,
    },
    {
      subject: "– memory of the process, as soon as it is ready",
      measured: `${megabytes(memory.many)}, and ${megabytes(memory.none)} with none`,
    },
  ];
}
