import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { join } from "node:path";
import { buildCommand } from "./build-command.ts";
import { megabytes, spread } from "./format.ts";
import { dataFolderOf, startHostProcess } from "./host-process.ts";
import { storeLongConversation } from "./long-conversation.ts";
import { percentile } from "./measure.ts";
import { memoryOf, type Memory } from "./process-memory.ts";
import { pi, piTerminal } from "./programs/pi.ts";
import { Screen } from "./screen.ts";
import type { Row } from "./table.ts";

const starts = 15;
const turns = 5_000;
const deltasInASecond = 200;
const typed = "the quick brown fox jumps over the lazy dog while an answer comes in from the model";
const border = "────";
const settleMs = 1_000;
const answeringMs = 3_000;

async function versions(command: readonly string[]): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const startMs = performance.now();
    const child = Bun.spawn([...command, "--version"], { stdout: "pipe", stderr: "ignore" });
    await Promise.all([new Response(child.stdout).text(), child.exited]);
    samples.push(performance.now() - startMs);
  }
  return samples;
}

async function opened(command: readonly string[], folder: string): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const startMs = performance.now();
    await using screen = new Screen({ command, cwd: folder });
    await screen.shows(border);
    samples.push(performance.now() - startMs);
  }
  return samples;
}

async function echoes(screen: Screen): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let end = 1; end <= typed.length; end += 1) {
    const key = typed.charAt(end - 1);
    const from = screen.length;
    const startMs = performance.now();
    screen.type(key);
    await screen.shows(typed.slice(0, end).trimEnd(), from);
    if (key !== " ") samples.push(performance.now() - startMs);
    await Bun.sleep(23);
  }
  return samples;
}

/** Measures while an answer arrives, which takes half a minute. */
async function whileItAnswers<T>(screen: Screen, model: RecordingModelServer, work: () => Promise<T>): Promise<T> {
  const chunks = Array.from({ length: 30 * deltasInASecond }, (_, index) =>
    index % 12 === 11 ? "word.\n\n" : "word ",
  );
  model.enqueue({ kind: "text", chunks, gate: true });
  screen.type("Write for a while");
  await screen.shows("Write for a while");
  screen.type("\r");
  await model.waitFor(({ waitingChunks }) => waitingChunks > 0);
  const pace = setInterval(() => model.release(), 1_000 / deltasInASecond);
  try {
    return await work();
  } finally {
    clearInterval(pace);
    model.releaseAll();
  }
}

async function floor(): Promise<Memory> {
  await using folder = await createTempFolder();
  const [script, program] = [join(folder.path, "floor.ts"), join(folder.path, "floor")];
  await Bun.write(script, 'console.log("ready");\nsetInterval(() => {}, 60_000);\n');
  const build = [
    process.execPath,
    "build",
    script,
    "--compile",
    "--bytecode",
    "--format=esm",
    "--outfile",
    program,
  ];
  if ((await Bun.spawn(build, { cwd: folder.path, stdout: "ignore" }).exited) !== 0)
    throw new Error("The program of one line could not be built");
  await using screen = new Screen({ command: [program], cwd: folder.path });
  await screen.shows("ready");
  await Bun.sleep(settleMs);
  return await memoryOf(screen.pid);
}

async function piMemory(model: RecordingModelServer): Promise<Memory> {
  await using folder = await createTempFolder();
  await using screen = new Screen(await piTerminal({ folder: folder.path, modelUrl: model.url }));
  await screen.shows("0.0%"); // The editor was visible before but did not accept keys yet.
  await Bun.sleep(settleMs);
  return await whileItAnswers(screen, model, async () => {
    await Bun.sleep(answeringMs);
    return memoryOf(screen.pid);
  });
}

/** `PSS`: https://docs.kernel.org/filesystems/proc.html */
function sizesOf({ residentBytes, shareBytes, ownBytes }: Memory): string {
  return `${megabytes(residentBytes)}; ${megabytes(shareBytes)} with its share of shared pages (PSS), ${megabytes(ownBytes)} of them in no file`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export async function terminal(): Promise<readonly Row[]> {
  await using scope = new AsyncDisposableStack();
  const command = await buildCommand();
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer());
  const version = await versions(command);
  const id = await storeLongConversation(folder.path, model, turns);
  scope.use(await startHostProcess({ folder: folder.path, modelUrl: model.url, command }));
  const flags = ["--config", join(folder.path, "incipit.toml"), "--data", dataFolderOf(folder.path)];
  const ready = await opened([...command, ...flags], folder.path);
  const screen = scope.use(new Screen({ command: [...command, ...flags, "-s", id], cwd: folder.path }));
  await screen.shows("local/m");
  await screen.shows("Earlier messages");
  const [echo, memory] = await whileItAnswers(screen, model, async () => [
    await echoes(screen),
    await memoryOf(screen.pid),
  ]);
  const p50 = percentile(version, 0.5);
  const p95 = percentile(echo, 0.95);
  return [
    { subject: "`incipit --version`", measured: spread(version), target: "30 ms", isMet: p50 <= 30 },
    {
      subject: "`incipit` until the editor is there",
      measured: spread(ready),
      target: "100 ms",
      isMet: percentile(ready, 0.5) <= 100,
    },
    {
      subject: "a key until it is on the screen: 200 pieces a second come into a conversation of 10,000 messages",
      measured: `p50 ${percentile(echo, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      target: "p95 16 ms",
      isMet: p95 <= 16,
    },
    {
      subject: "memory of the terminal then, the host being another process",
      measured: sizesOf(memory),
      target: "80 MB",
      isMet: memory.residentBytes <= 80e6,
    },
    { subject: "– a program of one line that Bun has built, and that waits", measured: sizesOf(await floor()) },
    {
      subject: `– ${pi.name}, whose agent is in its terminal, with an answer that comes into a new conversation`,
      measured: await piMemory(model).then(sizesOf, (error: unknown) => `not measured: ${reasonOf(error)}`),
    },
  ];
}
