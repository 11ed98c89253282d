import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { join } from "node:path";
import { buildCommand } from "./build-command.ts";
import { megabytes, spread } from "./format.ts";
import { dataFolderOf, startHostProcess } from "./host-process.ts";
import { storeLongConversation } from "./long-conversation.ts";
import { percentile } from "./measure.ts";
import { residentBytes } from "./process-memory.ts";
import type { Row } from "./table.ts";
import { within } from "./within.ts";

const starts = 15;
const turns = 5_000;
const deltasInASecond = 200;
const typed = "the quick brown fox jumps over the lazy dog while an answer comes in from the model";
const border = "────";

/** A command in a terminal of its own, and what it writes there. */
class Screen implements AsyncDisposable {
  readonly #child: Bun.Subprocess;
  readonly #waiting = new Set<() => void>();
  #bytes = "";

  constructor(command: readonly string[], folder: string) {
    const decoder = new TextDecoder();
    this.#child = Bun.spawn([...command], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, TERM: "xterm-256color", LANG: "C.UTF-8" },
      terminal: {
        cols: 100,
        rows: 30,
        data: (_, chunk) => {
          this.#bytes += decoder.decode(chunk, { stream: true });
          for (const look of this.#waiting) look();
        },
      },
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  get length(): number {
    return this.#bytes.length;
  }

  type(text: string): void {
    this.#child.terminal?.write(text);
  }

  /** Resolves once a text was written behind a place. */
  async shows(text: string, from = 0): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.#bytes.includes(text, from)) resolve();
    };
    this.#waiting.add(look);
    look();
    await within(`"${text}" on the screen`, 30_000, () => promise);
    this.#waiting.delete(look);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

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

/** From the start of the command to the editor, without and with a host that runs already. */
async function opened(command: readonly string[], folder: string): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const startMs = performance.now();
    await using screen = new Screen(command, folder);
    await screen.shows(border);
    samples.push(performance.now() - startMs);
  }
  return samples;
}

/** A key at a time, until it stands on the screen, while an answer comes in. */
async function echoes(screen: Screen): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let end = 1; end <= typed.length; end += 1) {
    const key = typed.charAt(end - 1);
    const from = screen.length;
    const startMs = performance.now();
    screen.type(key);
    await screen.shows(typed.slice(0, end).trimEnd(), from);
    if (key !== " ") samples.push(performance.now() - startMs);
    await Bun.sleep(23); // Somebody who types fast.
  }
  return samples;
}

/** The terminal: its start, a key while an answer comes into a long conversation, and its memory. */
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
  const screen = scope.use(new Screen([...command, ...flags, "-s", id], folder.path));
  await screen.shows("local/m");
  await screen.shows("more before this");
  const chunks = Array.from({ length: 30 * deltasInASecond }, (_, index) =>
    index % 12 === 11 ? "word.\n\n" : "word ",
  );
  model.enqueue({ kind: "text", chunks, gate: true });
  screen.type("Write for a while\r");
  await model.waitFor(({ waitingChunks }) => waitingChunks > 0);
  const pace = setInterval(() => model.release(), 1_000 / deltasInASecond);
  const echo = await echoes(screen);
  const sizeBytes = await residentBytes(screen.pid);
  clearInterval(pace);
  model.releaseAll();
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
      measured: megabytes(sizeBytes),
      target: "80 MB",
      isMet: sizeBytes <= 80e6,
    },
  ];
}
